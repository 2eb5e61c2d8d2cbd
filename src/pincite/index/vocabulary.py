"""Words of everyday speech and of the fields of computing beside those that documentation uses for them.

Text alone, read by `synonyms`: groups of words that mean much the same, written down field by field from general knowledge. A group is
small, so that it still tells; a word may stand in several.
"""

FIELDS = """
        healthy alive well responsive reachable / unhealthy sick ill dead down unreachable offline unavailable unresponsive failing /
        survive outlive persist continue remain / resume thaw continue unfreeze unpause / freeze suspend pause quiesce / recover heal
        rescue salvage repair / overload congestion saturated busy / spare extra additional further more / remaining rest leftover residual
        left / portable removable usb external / device hardware peripheral equipment / bookkeeping administrative housekeeping metadata
        maintenance / tidy cleanup prune sweep housekeeping clean vacuum / visitor guest anonymous client user / person people human
        interactive user / operator administrator / team group organization collaborator colleague contributor / secret confidential
        sensitive private hidden / letter mail message / packet datagram frame / mailbox inbox spool / sender originator from / recipient
        addressee destination / attachment enclosure / movie video film / sound audio music / moment instant point / age lifetime ttl /
        fragment snippet partial include / assemble compose build put-together / burst spike flood rush surge / rate frequency throttle /
        traffic bandwidth throughput load / spread distribute balance share / evenly equally uniformly fair / preferred favorite favourite
        priority / secondary backup standby replica fallback spare / primary master leader main / mirror replica copy / guess estimate
        approximate heuristic / planner optimizer plan strategy / orphan dangling unreferenced unreachable stray / garbage unreachable
        unused trash / publish push release share / draft unpublished pending / history past previous log / blame annotate author / author
        creator writer committer / shelve stash shelf aside / squash fold combine collapse meld / reword amend edit message / rewrite amend
        rebase / shallow truncated depth / ancestor parent base predecessor / descendant child successor / workspace worktree checkout
        working / remote upstream far other / clone checkout copy / blacklist deny exclude block / whitelist allow include permit /
        relation relationship reference association foreign / enforce constrain constraint require / rule policy constraint regulation /
        identifier id key name / lookup retrieve find resolve / fulltext search fts / relevance rank score best / compact vacuum shrink
        defragment reclaim / shrink reduce decrease smaller lessen / grow enlarge increase expand bigger / raise increase lift elevate
        higher / lower decrease reduce drop / contention lock busy conflict / counter sequence serial increment autoincrement / rollover
        wraparound overflow wrap / isolation consistency / atomic indivisible transaction / schema structure layout / export dump unload
        extract / import load ingest restore / spreadsheet csv excel / byte octet / binary blob raw / strict rigid exact severe / generated
        computed calculated derived virtual / audit trace log / pagination paginate page cursor / mime media content-type representation /
        negotiate negotiation accept / token bearer jwt / marshal serialize dump encode / unmarshal deserialize load parse / readonly
        read-only immutable / subscriber listener observer handler / emitter publisher dispatcher / subprocess child helper worker spawn /
        detached independent background / recursive subtree subdirectory tree / breakpoint debugger inspector / keyboard key keystroke
        typed typing / shortcut hotkey binding keybinding / cursor caret / mouse pointer click / completion autocomplete suggestion tab /
        shorthand alias abbreviation / profile rc startup config / tokenize split separate word / mask conceal hide obscure / nameserver
        resolver dns / intranet internal local private inside / internet external public outside world / forget flush clear evict / evict
        nuke lru discard / remember cache store memorize record / reload refresh reread / restart reboot relaunch / gateway proxy relay
        intermediary / backend origin upstream server / probe poll check monitor / stale outdated expired old obsolete / fresh valid
        current / exhausted full exceeded depleted / purge ban invalidate flush / variant variation vary version / peer partner remote
        counterpart / identity credential who user / maintainer responsible owner keeper / hold pin freeze keep / essential vital core
        mandatory / alternative substitute replacement other / garbled mojibake encoding charset / truncate cut shorten clip trim / chop
        cut slice split / typo misspelling mistake spelling / mistake error fault slip / blank empty whitespace / gap hole missing /
        alphabet letter character / uppercase capital caps / lowercase small / case-insensitive ignorecase caseless / sentence line
        paragraph / heading header title caption / footer bottom foot / margin padding space border / bold strong emphasis / italic
        emphasis slanted / underline underscore / bullet list item / link hyperlink anchor url / picture image icon logo / thumbnail
        preview / drawing diagram figure sketch / curve line plot / colour palette color / transparent opacity alpha / shadow shade /
        resize scale stretch zoom / rotate turn spin / crop cut trim / window frame pane / button click press / menu choice dropdown /
        dialog popup prompt box / checkbox tick toggle / tab pane sheet / drag drop move / toggle switch flip / widget control element /
        theme style look appearance skin / stylesheet css style / layout arrangement placement / responsive adaptive / touch tap / gesture
        swipe / animate animation transition move / sprite image / pixel dot resolution / voltage power energy / battery power / sleep
        suspend hibernate standby / wake resume wakeup / boot startup bootloader grub / kernel core / driver module / firmware bios / cpu
        processor core / gpu graphics / thread lightweight / interrupt signal irq / mount attach insert plug / unmount detach eject unplug
        / format initialize mkfs / inode file / permission mode chmod right / owner chown belong / link symlink shortcut hardlink / path
        location whereabouts / home directory / trash recycle bin / lock flock exclusive / mtime modified timestamp / touch timestamp
        update / permissions acl access rights / umask mask / background daemon detach / foreground attach / job batch task / pipe pipeline
        chain connect / redirect divert send / stdout output print / stderr error diagnostic / exit return status code / crash segfault
        core dump / trap catch signal / argument parameter operand input / flag option switch / subcommand command verb / usage help
        synopsis / manual man documentation / environment variable env / export share environment / source include load import / function
        routine procedure / recursion recursive self / closure lambda anonymous / callback function handler / generator iterator lazy /
        decorator wrapper annotation / constructor initializer init new / destructor finalizer cleanup del / instance object / singleton
        single only / subclass child derived / superclass parent base / mixin trait interface / enum enumeration constant / struct record
        tuple / union variant sum / pointer reference address / dereference follow / heap dynamic allocation / stack local frame / overflow
        exceed overrun / underflow below / signed negative / unsigned positive nonnegative / cast convert coerce / infer deduce guess
        derive / overload polymorphism dispatch / inline embed / template generic macro / preprocess expand macro / linker ld link / header
        include declaration / library shared dynamic so dll / static archive / symbol name identifier / relocation address / optimize speed
        faster performance / profile hotspot bottleneck / coverage tested / mock fake stub double / fixture setup prepare / assert check
        expect verify / skip ignore omit / flaky unstable intermittent / benchmark timing measure / regression break / deploy rollout ship
        publish / rollback revert undo back / artifact output product / pipeline workflow steps / trigger start fire / container docker
        image / orchestrate kubernetes cluster / replica copy instance / scale grow / secret credential key / tls ssl https secure
        certificate / certificate cert x509 / authority ca issuer / revoke withdraw cancel / renew refresh extend / handshake negotiation /
        cipher algorithm suite / hash digest / salt random / nonce once random / hmac mac signature / firewall filter block packet / port
        number socket / listen accept serve / keepalive persistent idle / timeout deadline expiry / idle inactive unused quiet / retry
        resend again / backoff delay wait / queue backlog pending / broker queue message / publish send emit / subscribe listen receive /
        consumer worker receiver / producer sender publisher / topic channel subject / stream flow continuous / chunk piece block part /
        buffer hold / flush write out / backpressure slow / throttle limit rate slow / quota limit allowance / ban block prohibit / captcha
        human / spam junk unsolicited / phishing fake / virus malware / injection escape sanitize / sanitize escape clean / xss script /
        csrf forgery / sandbox isolate restrict / jail chroot confine / privilege root superuser / sudo root elevate / impersonate act
        behalf / anonymous unauthenticated guest / session login state / cookie session / logout signout end / locale language region /
        translate localization i18n / timezone zone offset / calendar date / leap year / weekday day / epoch unix timestamp / duration
        elapsed length / stopwatch timer measure / schedule plan cron / currency money price / percentage percent ratio share / fraction
        ratio rational / decimal digits precision / infinity unbounded unlimited endless / nan undefined / absolute magnitude / complex
        imaginary / matrix table grid / vector array / dot inner product / cross outer / transpose swap / inverse invert reverse /
        eigenvalue spectrum / integral integrate area / derivative differentiate slope / interpolate between estimate / extrapolate beyond
        / smooth filter blur / noise random / outlier extreme / median middle / variance spread deviation / correlation related / histogram
        distribution bins / sample draw / seed random initial / permutation shuffle order / combination choose / graph network / node
        vertex / edge arc link / tree hierarchy / leaf end / root top / path route way / shortest nearest / cycle loop circular / sort
        order arrange / ascending increasing / descending decreasing reverse / merge combine / binary two / dictionary hash map / set
        collection unique / list sequence / tuple pair / stack lifo / queue fifo / heap priority / linked chained / string text / substring
        part slice / concatenate join append / split separate / trim strip whitespace / pad fill / replace substitute / reverse backwards /
        repeat times / compare equal / prefix starts / suffix ends / contains includes within / regex pattern / group capture parenthesis /
        greedy longest / lookahead ahead / anchor beginning / wildcard any star / escape backslash / encode utf8 bytes / decode bytes text
        / hexadecimal hex / checksum crc verify / compress shrink smaller gzip / archive tar bundle / extract unpack / stream read / append
        add end / overwrite replace / truncate shorten / seek position / rename move / delete unlink remove / copy duplicate / sync
        synchronize mirror / diff compare difference / patch apply / watch monitor observe / poll check repeatedly / notify inform / event
        happening / hook intercept / middleware layer / plugin extension addon / theme template / placeholder parameter variable / default
        fallback / override replace customize / inherit extend / config configuration settings preferences / ini toml yaml json / comment
        remark / indent tabs spaces / lint style check / format pretty beautify / minify shrink compress / bundle pack / transpile compile
        / polyfill compatibility / compatible compatibility works / deprecated discouraged obsolete / experimental unstable preview / bug
        defect fault / workaround trick hack / limitation restriction cannot / caveat warning note / requirement need prerequisite /
        optional extra / example sample tutorial / reference manual api / faq questions / glossary terms / changelog news changes / license
        terms copyright
        """
