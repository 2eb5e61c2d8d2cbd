"""Words of everyday speech and of the fields of computing beside those that documentation uses for them.

Text alone, written down field by field from general knowledge. `FIELDS`, read by `synonyms`: groups of words that mean much the same,
each small, so that it still tells; a word may stand in several. `EXPRESSIONS`, read by `phrases`: several words and the one for them.
"""

FIELDS = """
        healthy unhealthy health sick ill down / healthy alive well responsive reachable / unhealthy sick ill dead down unreachable
        offline unavailable unresponsive failing / survive outlive persist continue remain / resume thaw continue unfreeze unpause /
        freeze suspend pause quiesce / recover heal rescue salvage repair / overload congestion saturated busy / spare extra additional
        further more / remaining rest leftover residual left / portable removable usb external / device hardware peripheral equipment /
        bookkeeping administrative housekeeping metadata maintenance / tidy cleanup prune sweep housekeeping clean vacuum / visitor guest
        anonymous client user / person people human interactive user / operator administrator / team group organization collaborator
        colleague contributor / secret confidential sensitive private hidden / packet datagram frame / mailbox inbox spool / sender
        originator from / recipient addressee destination / attachment enclosure / movie video film / sound audio music / fragment snippet
        partial include / assemble compose build put-together / burst spike flood rush surge / traffic bandwidth throughput load / spread
        distribute balance share / evenly equally uniformly fair / preferred favorite favourite priority / secondary backup standby
        replica fallback spare / primary master leader main / guess estimate approximate heuristic / planner optimizer plan strategy /
        orphan dangling unreferenced unreachable stray / garbage unreachable unused trash / publish push release share / draft unpublished
        pending / history past previous log / blame annotate author / author creator writer committer / shelve stash shelf aside / squash
        fold combine collapse meld / reword amend edit message / rewrite amend rebase / shallow truncated depth / ancestor parent base
        predecessor / descendant child successor / workspace worktree checkout working / remote upstream far other / blacklist deny
        exclude block / whitelist allow include permit / relation relationship reference association foreign / enforce constrain
        constraint require / rule policy constraint regulation / identifier id key name / lookup retrieve find resolve / fulltext search
        fts / relevance rank score best / compact vacuum shrink defragment reclaim / shrink reduce decrease smaller lessen / grow enlarge
        increase expand bigger / raise increase lift elevate higher / lower decrease reduce drop / contention lock busy conflict / counter
        sequence serial increment autoincrement / rollover wraparound overflow wrap / schema structure layout / export dump unload extract
        / import load ingest restore / spreadsheet csv excel / byte octet / binary blob raw / strict rigid exact severe / generated
        computed calculated derived virtual / audit trace log / mime media content-type representation / negotiate negotiation accept /
        token bearer jwt / unmarshal deserialize load parse / subscriber listener observer handler / emitter publisher dispatcher /
        subprocess child helper worker spawn / detached independent background / recursive subtree subdirectory tree / breakpoint debugger
        inspector / keyboard key keystroke typed typing / shortcut hotkey binding keybinding / cursor caret / mouse pointer click /
        completion autocomplete suggestion tab / profile rc startup config / tokenize split separate word / mask conceal hide obscure /
        nameserver resolver dns / intranet internal local private inside / internet external public outside world / forget flush clear
        evict / evict nuke lru discard / remember cache store memorize record / reload refresh reread / restart reboot relaunch / gateway
        proxy relay intermediary / backend origin upstream server / probe poll check monitor / fresh valid / exhausted full exceeded
        depleted / purge ban invalidate flush / variant variation vary version / peer partner remote counterpart / identity credential who
        user / maintainer responsible owner keeper / hold pin freeze / essential vital core mandatory / alternative substitute replacement
        other / garbled mojibake encoding charset / chop cut slice split / typo misspelling mistake spelling / mistake error fault slip /
        gap hole missing / uppercase capital caps / lowercase small / case-insensitive ignorecase caseless / sentence line paragraph /
        heading header title caption / footer bottom foot / margin padding space border / bold strong emphasis / italic emphasis slanted /
        underline underscore / bullet list item / link hyperlink anchor url / picture image icon logo / thumbnail preview / drawing
        diagram figure sketch / curve line plot / transparent opacity alpha / shadow shade / resize scale stretch zoom / rotate turn spin
        / window frame pane / button click press / menu choice dropdown / dialog popup prompt box / checkbox tick toggle / tab pane sheet
        / drag drop move / toggle switch flip / widget control element / theme style look appearance skin / stylesheet css style / layout
        arrangement placement / gesture swipe / animate animation transition move / pixel dot resolution / sleep suspend hibernate standby
        / wake resume wakeup / boot startup bootloader grub / firmware bios / cpu processor core / gpu graphics / mount attach insert plug
        / unmount detach eject unplug / format initialize mkfs / permission mode chmod right / link symlink shortcut hardlink / path
        location whereabouts / trash recycle bin / mtime modified timestamp / permissions acl access rights / umask mask / pipe pipeline
        chain connect / redirect divert send / stderr error diagnostic / subcommand command verb / usage help synopsis / export share
        environment / recursion recursive self / closure lambda anonymous / decorator wrapper annotation / destructor finalizer cleanup
        del / enum enumeration constant / unsigned positive nonnegative / infer deduce guess derive / inline embed / preprocess expand
        macro / library shared dynamic so dll / symbol name identifier / relocation address / profile hotspot bottleneck / mock fake stub
        double / fixture setup prepare / assert check expect verify / flaky unstable intermittent / pipeline workflow steps / replica copy
        instance / authority ca issuer / revoke withdraw cancel / renew refresh extend / handshake negotiation / cipher algorithm suite /
        hmac mac signature / port number socket / listen accept serve / keepalive persistent idle / broker queue message / consumer worker
        receiver / producer sender publisher / topic channel subject / chunk piece block part / throttle limit rate slow / spam junk
        unsolicited / virus malware / sanitize escape clean / csrf forgery / jail chroot confine / sudo root elevate / impersonate act
        behalf / anonymous unauthenticated guest / weekday day / epoch unix timestamp / duration elapsed length / stopwatch timer measure
        / currency money price / percentage percent ratio share / fraction ratio rational / decimal digits precision / absolute magnitude
        / complex imaginary / transpose swap / inverse invert reverse / eigenvalue spectrum / interpolate between estimate / extrapolate
        beyond / smooth filter blur / outlier extreme / variance spread deviation / histogram distribution bins / sample draw / seed
        random initial / permutation shuffle order / node vertex / edge arc link / shortest nearest / cycle loop circular / ascending
        increasing / descending decreasing reverse / tuple pair / linked chained / substring part slice / pad fill / reverse backwards /
        wildcard any star / hexadecimal hex / checksum crc verify / compress shrink smaller gzip / archive tar bundle / seek position /
        rename move / sync synchronize mirror / patch apply / poll check repeatedly / hook intercept / middleware layer / placeholder
        parameter variable / config configuration settings preferences / ini toml yaml json / indent tabs spaces / lint style check /
        minify shrink compress / bundle pack / transpile compile / compatible compatibility works / workaround trick hack / limitation
        restriction cannot / caveat warning note / reference manual api / faq questions / glossary terms / changelog news / session login
        / rate frequency throttle / infinity unbounded unlimited endless / crash segfault core / stack frame / 口令 密码 / 图形 窗口 界面
        桌面 gui / 主机 机器 电脑 计算机 / 可移动 移动存储 优盘 removable usb / 卸载 移除 删除 / 残留 剩余 遗留 leftover / 乱码 编码
        encoding / 批量 全部 所有 batch / 脚本 script / 查看 显示 列出 / 网卡 网络接口 interface / 内核 kernel / 驱动 driver / 启动 引导
        boot / 分区 partition / 挂载 mount / 时区 timezone / 字体 font / 输入法 ibus / 打印机 打印 printer / 声音 音频 音响 sound / 鼠标
        mouse / 键盘 按键 keyboard / 账号 帐号 账户 帐户 用户 account / 群组 用户组 group / 防火墙 firewall / 端口 port / 软件源 仓库
        档案库 repository / 降级 旧版本 downgrade / 固定 保持 锁定 hold / 虚拟机 虚拟化 virtual / 归档 打包 存档 archive / 快捷键 组合键
        shortcut / 远程 另一台 remote / 断网 离线 offline / 卡死 死机 崩溃 挂起 / 变慢 缓慢 性能 / 占用 使用量 用量 / 剩下 剩余 可用 /
        腾出 释放 清理 / 自带 内置 默认 / 撤回 撤销 恢复 / 改名 重命名 / 同步 镜像 / 比较 差异 对比 / 替换 取代 代替 / 复杂 严格 强度 /
        安全 保护 加固 / 省电 电源 挂起 / 休眠 挂起 睡眠 suspend / 登录 登陆 login / 注销 退出 logout / 找回 恢复 / 编写 撰写 创建 / 贡献
        提交 参与 / 误报 错误 误判 / 世話 保守 管理 維持 / 決ま 規則 規定 方針 ポリシー / 役目 役割 機能 / 頼る 頼り 依存 / 消す 消し 削除
        取り除 消去 / 料金 手数料 fee / 書き方 書式 形式 フォーマット / 受け付 受理 受け入れ / 断ら 断る 拒否 拒絶 reject / 間違 誤り 誤っ
        エラー ミス / 一番後 最後 末尾 / 待っ 待つ 待機 キュー / 捨て 破棄 消去 パージ purge / 直す 直し 修正 修復 / 調べ 確認 検査
        チェック / 動か 実行 起動 稼働 / 止め 停止 中止 / 作る 作り 作っ 作成 生成 / 使う 使い 使っ 使え 使用 利用 / 入れ 追加 導入 / 変え
        変更 / 分け 分割 分離 / 集め 収集 / 比べ 比較 / 選ぶ 選び 選択 / 読む 読み 読ん 読み込 / 書く 書き 書い 記述 記載 / 始め 始ま 開始
        / 終わ 終え 終了 完了 / 増や 増え 増加 / 減ら 減る 削減 減少 / 速い 速く 早く 高速 / 遅い 遅く 遅れ 低速 遅延 / 名付 命名 / 知らせ
        通知 連絡 / 守る 守ら 保護 遵守 / 隠す 隠し 非表示 / 探す 探し 検索 / 戻す 戻し 復元 復旧 / 古い 古く 旧版 / 必要 必須 / 許す 許さ
        許可 / 禁じ 禁止 / 送る 送り 送っ 送ら 送信 転送 送付 / 届く 届け 配信 到着 / 繰り返 反復 ループ / 貼り 貼付 添付 / 繋ぐ 繋が
        つなが 接続 / 切れ 切断 / 置く 置き 配置 / 置き換 置換 / 合わせ 結合 統合 / 並べ 整列 順序 ソート / 数え 計数 カウント / 試す 試し
        試行 テスト / 教え 説明 案内 / 相談 議論 討議 / 引き継 継承 引継 / 辞め 離れ 引退 退職 / 公開 公表 リリース / 持ち主 所有者
        オーナー / 担当 責任 メンテナ / 部品 部分 コンポーネント / 一時 仮の / 全部 すべて 全て 全体 / 保存 저장 / 지우 지운 삭제 / 바꾸
        바꿔 변경 / 만들 생성 작성 / 멈추 중지 정지 / 고치 수정 / 보내 전송 / 느린 느려 지연 / 빠른 빠르 속도 / 차단 금지 / 쓰기 기록
        """

EXPRESSIONS = """
        turn on: enable / switch on: enable / turn off: disable / switch off: disable / throw away: discard / put away: store / give up:
        abort / go away: removed / go on: continue / carry on: continue / keep going: continue / go back: revert / roll back: rollback /
        take back: revert / bring back: restore / get back: restore / come back: return / get rid: remove / take out: remove / take away:
        remove / rip out: remove / leave out: omit / left out: omitted / miss out: omit / leave alone: unchanged / put aside: stash / set
        aside: reserve / lay aside: stash / put off: defer / hold back: defer / hold on: wait / hang up: disconnect / cut off: truncated /
        cut down: reduce / cut short: truncated / slow down: slow / speed up: performance / blow up: grow / pile up: accumulate / fill up:
        full / use up: exhausted / run out: exhausted / clean up: cleanup / tidy up: cleanup / set up: setup / start up: startup / boot up:
        boot / shut down: shutdown / back up: backup / log in: login / sign in: login / log out: logout / sign out: logout / sign up:
        register / look up: lookup / look for: search / search for: search / find out: determine / figure out: determine / work out:
        compute / try out: test / hand over: pass / pass on: pass / pass along: forward / send on: forward / send back: return / give back:
        return / give out: assign / hand out: assign / fill in: form / type in: input / key in: input / write down: record / jot down:
        record / keep track: track / take care: handle / deal with: handle / cope with: handle / get along: compatible / make up: generate
        / make sure: ensure / made up: consist / break up: split / break down: failure / fall over: crash / fall back: fallback / fall
        apart: failure / fall behind: lag / lag behind: lag / catch up: synchronize / keep up: synchronize / lock out: locked / shut out:
        deny / keep out: deny / let in: allow / let through: allow / kick out: disconnect / throw out: reject / turn away: reject / turn
        down: reject / turn into: convert / change into: convert / turn up: appear / show up: appear / pop up: popup / stick to: restrict /
        stand for: abbreviation / point to: reference / point at: reference / refer to: reference / belong to: owner / stem from: origin /
        rely on: depend / depend on: depend / build on: depend / hook into: hook / link to: link / hang on: wait / wake up: wakeup / watch
        out: warning / zoom in: zoom / scale up: scale / add up: sum / count up: increment / sum up: summary / wrap up: finish / wrap
        around: wraparound / put together: combine / stick together: join / glue together: concatenate / bring together: combine / take
        apart: split / tell apart: distinguish / spell out: explicit / hard wired: hardcoded / hard coded: hardcoded / out of date: stale /
        up to date: current / out of memory: memory / out of order: unordered / out of sync: inconsistent / at once: simultaneously / all
        at once: batch / at the same time: concurrently / side by side: parallel / in parallel: parallel / one by one: sequentially / one
        at a time: sequentially / one after another: sequentially / in turn: sequentially / by itself: automatically / on its own:
        automatically / by hand: manually / on the fly: dynamically / at runtime: runtime / at run time: runtime / ahead of time:
        beforehand / in advance: beforehand / right away: immediately / straight away: immediately / at once: immediately / after a while:
        timeout / for good: permanently / no longer: removed / for ever: indefinitely / for the time being: temporarily / over and over:
        repeatedly / again and again: repeatedly / from time to time: periodically / every so often: periodically / now and then:
        periodically / every few: interval / at regular intervals: periodically / line by line: lines / step by step: tutorial / word for
        word: verbatim / as is: verbatim / as it is: verbatim / in place: inplace / in the middle: middle / behind the scenes: internally /
        under the hood: internally / behind a proxy: proxy / in front of: proxy / in the background: background / from scratch: new / all
        over again: restart / the other way round: reverse / the other way around: reverse / upside down: reverse / back to front: reverse
        / at most: maximum / no more than: maximum / at least: minimum / no less than: minimum / more than once: duplicate / too often:
        throttle / too many: limit / too much: limit / too long: timeout / too big: size / too large: size / too slow: performance / how
        often: interval / how long: duration / how big: size / how large: size / how far: distance / how fast: rate / how old: age / what
        order: order / in which order: order / who may: permission / who can: permission / what kind: type / what kinds: types / what sort:
        type / what does it mean: meaning / what is meant by: meaning / stand in: substitute / brand new: new / read only: readonly / built
        in: builtin / key word: keyword / white space: whitespace / time out: timeout / host name: hostname / file name: filename / user
        name: username / name space: namespace / data base: database / check point: checkpoint / work tree: worktree / sub process:
        subprocess / sub command: subcommand / sub directory: subdirectory / end point: endpoint / back end: backend / front end: frontend
        / life time: lifetime / life cycle: lifecycle / run time: runtime / compile time: compile / web page: page / web site: website /
        web server: server / zip file: archive / text editor: editor / command line: cli / hard disk: disk / hard drive: disk / memory
        stick: removable / thumb drive: removable / file type: extension / error message: error / stack trace: traceback / back trace:
        traceback / call stack: traceback / dead lock: deadlock / keep from: prevent / stop from: prevent / hinder from: prevent / hold
        from: prevent / longer than: timeout / take longer: timeout / take more than: timeout / run longer: timeout / take forever: hang /
        never end: hang / more than one: multiple / as many as: maximum / as much as: maximum / as little as: minimum / as few as: minimum
        / on purpose: explicitly / by accident: accidental / by mistake: accidental / on demand: lazy / first come first served: fifo / in
        case of: fallback / if all else fails: fallback / come from: origin / go through: pass / step through: debug / step into: debug /
        look into: inspect / peek at: inspect / look at: inspect / do away with: remove / do without: disable / go without: omit / get in:
        access / get into: access / get stuck: hang / go wrong: failure / come up: startup / come up with: generate / hand in: submit /
        hand on: pass / unit test: test / unit tests: tests / unit testing: testing / test case: test / test cases: tests / code base: code
        / version number: version / phone number: phone / login page: login / config file: configuration / log file: log / lock file: lock
        / source file: source / binary file: binary
        """
