"""What runs inside a rendered page, and which requests of a page only watch its readers. No I/O.

In: nothing. Out: JavaScript texts for the browser.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

OPEN_SHADOWS = """
(() => {
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) { return attach.call(this, { ...init, mode: 'open' }); };
})();
"""

_WALK = """
const VOID = new Set(['area','base','br','col','embed','hr','img','input','link','meta','source','track','wbr']);
const RAW = new Set(['script','style','noscript','template']);
const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const quoted = (text) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
const written = (node) => {
  if (node.nodeType === Node.TEXT_NODE) return escaped(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE) return '';
  const name = node.localName;
  if (name === 'slot') {
    const given = node.assignedNodes ? node.assignedNodes() : [];
    return (given.length ? given : [...node.childNodes]).map(written).join('');
  }
  const attributes = [...node.attributes].map((a) => ` ${a.name}="${quoted(a.value)}"`).join('');
  if (VOID.has(name)) return `<${name}${attributes}>`;
  if (RAW.has(name)) return name === 'script' || name === 'style' ? '' : node.outerHTML;
  const children = node.shadowRoot ? [...node.shadowRoot.childNodes] : [...node.childNodes];
  return `<${name}${attributes}>${children.map(written).join('')}</${name}>`;
};
"""

SERIALISE = "() => {" + _WALK + "return '<!DOCTYPE html>\\n' + written(document.documentElement); }"
"""Writes the document with shadow trees in the place of their hosts and slots filled; scripts and styles are left out."""

SERIALISE_BODY = "() => {" + _WALK + "return document.body ? [...document.body.childNodes].map(written).join('') : ''; }"

REPLACE_FRAME = """
(element, html) => {
  const section = document.createElement('section');
  section.setAttribute('data-frame', element.src || '');
  section.innerHTML = html;
  element.replaceWith(section);
}
"""

DROP_BANNERS = """
() => {
  const known = '#onetrust-consent-sdk, #CybotCookiebotDialog, #cookie-banner, .cookie-banner, #cookie-consent, .cookie-consent, ' +
    '.cc-window, .osano-cm-window, #usercentrics-root, ' +
    '#didomi-host, .qc-cmp2-container, [aria-label="cookieconsent"], #sp_message_container';
  document.querySelectorAll(known).forEach((element) => element.remove());
  for (const element of document.querySelectorAll('div, section, aside, dialog')) {
    const style = getComputedStyle(element);
    const text = element.innerText || '';
    if ((style.position === 'fixed' || style.position === 'sticky') && text.length < 2000 &&
        /cookies?|consent|gdpr/i.test(text) && element.querySelector('button, [role=button], input[type=button]')) element.remove();
  }
}
"""

_TRACKERS = re.compile(
    r"(?:^|\.)(?:google-analytics\.com|googletagmanager\.com|doubleclick\.net|googlesyndication\.com|segment\.(?:io|com)|hotjar\.com|mixpanel\.com"
    r"|amplitude\.com|fullstory\.com|clarity\.ms|newrelic\.com|nr-data\.net|sentry\.io|plausible\.io|matomo\.cloud|heap\.io|heapanalytics\.com"
    r"|facebook\.net|connect\.facebook\.com|scorecardresearch\.com|quantserve\.com|intercom\.io|intercomcdn\.com|hs-scripts\.com|hs-analytics\.net)$"
)


def is_tracker(url: str) -> bool:
    """Say whether a request goes to a service that counts or follows readers."""
    try:
        return _TRACKERS.search(urlsplit(url).hostname or "") is not None
    except ValueError:
        return True
