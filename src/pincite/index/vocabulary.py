"""Words of everyday speech and of the fields of computing beside those that documentation uses for them.

Text alone, read by `synonyms`: groups of words that mean much the same, written down field by field from general knowledge. A group is
small, so that it still tells; a word may stand in several.
"""

FIELDS = """
        healthy unhealthy health sick ill down / healthy alive well responsive reachable / unhealthy sick ill dead down unreachable offline
        unavailable unresponsive failing / survive outlive persist continue remain / resume thaw continue unfreeze unpause / freeze suspend
        pause quiesce / recover heal rescue salvage repair / overload congestion saturated busy / spare extra additional further more /
        remaining rest leftover residual left / portable removable usb external / device hardware peripheral equipment / bookkeeping
        administrative housekeeping metadata maintenance / tidy cleanup prune sweep housekeeping clean vacuum / visitor guest anonymous
        client user / person people human interactive user / operator administrator / team group organization collaborator colleague
        contributor / secret confidential sensitive private hidden / packet datagram frame / mailbox inbox spool / sender originator from /
        recipient addressee destination / attachment enclosure / movie video film / sound audio music / moment instant point / fragment
        snippet partial include / assemble compose build put-together / burst spike flood rush surge / rate frequency throttle / traffic
        bandwidth throughput load / spread distribute balance share / evenly equally uniformly fair / preferred favorite favourite priority
        / secondary backup standby replica fallback spare / primary master leader main / guess estimate approximate heuristic / planner
        optimizer plan strategy / orphan dangling unreferenced unreachable stray / garbage unreachable unused trash / publish push release
        share / draft unpublished pending / history past previous log / blame annotate author / author creator writer committer / shelve
        stash shelf aside / squash fold combine collapse meld / reword amend edit message / rewrite amend rebase / shallow truncated depth
        / ancestor parent base predecessor / descendant child successor / workspace worktree checkout working / remote upstream far other /
        blacklist deny exclude block / whitelist allow include permit / relation relationship reference association foreign / enforce
        constrain constraint require / rule policy constraint regulation / identifier id key name / lookup retrieve find resolve / fulltext
        search fts / relevance rank score best / compact vacuum shrink defragment reclaim / shrink reduce decrease smaller lessen / grow
        enlarge increase expand bigger / raise increase lift elevate higher / lower decrease reduce drop / contention lock busy conflict /
        counter sequence serial increment autoincrement / rollover wraparound overflow wrap / isolation consistency / schema structure
        layout / export dump unload extract / import load ingest restore / spreadsheet csv excel / byte octet / binary blob raw / strict
        rigid exact severe / generated computed calculated derived virtual / audit trace log / mime media content-type representation /
        negotiate negotiation accept / token bearer jwt / unmarshal deserialize load parse / subscriber listener observer handler / emitter
        publisher dispatcher / subprocess child helper worker spawn / detached independent background / recursive subtree subdirectory tree
        / breakpoint debugger inspector / keyboard key keystroke typed typing / shortcut hotkey binding keybinding / cursor caret / mouse
        pointer click / completion autocomplete suggestion tab / profile rc startup config / tokenize split separate word / mask conceal
        hide obscure / nameserver resolver dns / intranet internal local private inside / internet external public outside world / forget
        flush clear evict / evict nuke lru discard / remember cache store memorize record / reload refresh reread / restart reboot relaunch
        / gateway proxy relay intermediary / backend origin upstream server / probe poll check monitor / fresh valid / exhausted full
        exceeded depleted / purge ban invalidate flush / variant variation vary version / peer partner remote counterpart / identity
        credential who user / maintainer responsible owner keeper / hold pin freeze / essential vital core mandatory / alternative
        substitute replacement other / garbled mojibake encoding charset / chop cut slice split / typo misspelling mistake spelling /
        mistake error fault slip / gap hole missing / uppercase capital caps / lowercase small / case-insensitive ignorecase caseless /
        sentence line paragraph / heading header title caption / footer bottom foot / margin padding space border / bold strong emphasis /
        italic emphasis slanted / underline underscore / bullet list item / link hyperlink anchor url / picture image icon logo / thumbnail
        preview / drawing diagram figure sketch / curve line plot / transparent opacity alpha / shadow shade / resize scale stretch zoom /
        rotate turn spin / window frame pane / button click press / menu choice dropdown / dialog popup prompt box / checkbox tick toggle /
        tab pane sheet / drag drop move / toggle switch flip / widget control element / theme style look appearance skin / stylesheet css
        style / layout arrangement placement / responsive adaptive / touch tap / gesture swipe / animate animation transition move / sprite
        image / pixel dot resolution / voltage power energy / battery power / sleep suspend hibernate standby / wake resume wakeup / boot
        startup bootloader grub / kernel core / driver module / firmware bios / cpu processor core / gpu graphics / thread lightweight /
        mount attach insert plug / unmount detach eject unplug / format initialize mkfs / inode file / permission mode chmod right / link
        symlink shortcut hardlink / path location whereabouts / trash recycle bin / mtime modified timestamp / touch timestamp update /
        permissions acl access rights / umask mask / foreground attach / pipe pipeline chain connect / redirect divert send / stderr error
        diagnostic / crash segfault core dump / subcommand command verb / usage help synopsis / export share environment / source include
        load import / recursion recursive self / closure lambda anonymous / generator iterator lazy / decorator wrapper annotation /
        constructor initializer init new / destructor finalizer cleanup del / enum enumeration constant / union variant sum / dereference
        follow / stack local frame / underflow below / signed negative / unsigned positive nonnegative / infer deduce guess derive /
        overload polymorphism dispatch / inline embed / preprocess expand macro / library shared dynamic so dll / static archive / symbol
        name identifier / relocation address / profile hotspot bottleneck / coverage tested / mock fake stub double / fixture setup prepare
        / assert check expect verify / flaky unstable intermittent / regression break / pipeline workflow steps / orchestrate kubernetes
        cluster / replica copy instance / authority ca issuer / revoke withdraw cancel / renew refresh extend / handshake negotiation /
        cipher algorithm suite / salt random / nonce once random / hmac mac signature / firewall packet-filter / port number socket /
        listen accept serve / keepalive persistent idle / broker queue message / consumer worker receiver / producer sender publisher /
        topic channel subject / chunk piece block part / buffer hold / backpressure slow / throttle limit rate slow / captcha human / spam
        junk unsolicited / phishing fake / virus malware / injection escape sanitize / sanitize escape clean / xss script / csrf forgery /
        jail chroot confine / sudo root elevate / impersonate act behalf / anonymous unauthenticated guest / translate localization i18n /
        leap year / weekday day / epoch unix timestamp / duration elapsed length / stopwatch timer measure / currency money price /
        percentage percent ratio share / fraction ratio rational / decimal digits precision / infinity unbounded unlimited endless / nan
        undefined / absolute magnitude / complex imaginary / matrix table grid / dot inner product / cross outer / transpose swap / inverse
        invert reverse / eigenvalue spectrum / integral integrate area / interpolate between estimate / extrapolate beyond / smooth filter
        blur / noise random / outlier extreme / median middle / variance spread deviation / correlation related / histogram distribution
        bins / sample draw / seed random initial / permutation shuffle order / combination choose / graph network / node vertex / edge arc
        link / leaf end / root top / shortest nearest / cycle loop circular / ascending increasing / descending decreasing reverse / binary
        two / set collection unique / tuple pair / stack lifo / heap priority / linked chained / substring part slice / pad fill / reverse
        backwards / repeat times / prefix starts / suffix ends / contains includes within / group capture parenthesis / greedy longest /
        lookahead ahead / anchor beginning / wildcard any star / escape backslash / encode utf8 bytes / decode bytes text / hexadecimal hex
        / checksum crc verify / compress shrink smaller gzip / archive tar bundle / stream read / seek position / rename move / sync
        synchronize mirror / patch apply / poll check repeatedly / event happening / hook intercept / middleware layer / theme template /
        placeholder parameter variable / default fallback / config configuration settings preferences / ini toml yaml json / indent tabs
        spaces / lint style check / minify shrink compress / bundle pack / transpile compile / polyfill compatibility / compatible
        compatibility works / workaround trick hack / limitation restriction cannot / caveat warning note / optional extra / reference
        manual api / faq questions / glossary terms / changelog news
        """
