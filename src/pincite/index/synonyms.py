"""Words that documentation uses for one another, so that a question in other words still finds the passage.

In: terms of the analyzer. Out: for each the groups it belongs to, as tokens that the index holds beside the terms. A general list of our
own, of no library in particular; Chinese, Japanese and Korean words stand beside the English ones, so that a question in one language
finds a page in another by what it is about. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from pincite.index.vocabulary import FIELDS

VERSION = "6"
"""Changes whenever a term would belong to other groups: indexes made with another list are built again."""

Table = dict[str, tuple[tuple[tuple[str, ...], str], ...]]
"""By the first term of a word: its further terms, and the token of the group."""

LATIN, CJK = "=", "~"
"""How tokens begin. A text holds words of either script; a question in Chinese is like both, one in English like English alone."""


@lru_cache(maxsize=1)
def _groups() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group.split()) for text in (GROUPS, FIELDS) for group in text.split("/"))


def table(analysed: Callable[[str], Sequence[str]]) -> Table:
    """Return the groups by the terms of their words, as an analyzer cuts them."""
    found: Table = {}
    for number, words in enumerate(_groups()):
        for word in words:
            first, *rest = analysed(word)
            entry = (tuple(rest), f"{LATIN if word.isascii() else CJK}{number}")
            if entry not in found.get(first, ()):
                found[first] = (*found.get(first, ()), entry)
    return found


def asked(terms: Sequence[str], known: Table) -> list[tuple[str, ...]]:
    """Return for each term of a question the tokens of the groups of the words that begin at it."""
    found = (_begun(terms, k, begun) if (begun := known.get(term)) else () for k, term in enumerate(terms))
    return [tuple(t for token in tokens for t in (token, *((LATIN + token[1:],) if token[0] == CJK else ()))) for tokens in found]


def held(terms: Sequence[str], known: Table) -> list[str]:
    """Return the tokens of all terms of a text, repeats included."""
    return [token for k, term in enumerate(terms) if (found := known.get(term)) for token in _begun(terms, k, found)]


def _begun(terms: Sequence[str], at: int, found: tuple[tuple[tuple[str, ...], str], ...]) -> tuple[str, ...]:
    return tuple(token for rest, token in found if not rest or tuple(terms[at + 1 : at + 1 + len(rest)]) == rest)


GROUPS = """
        run execute launch start invoke / stop terminate kill abort halt cancel interrupt / end finish complete / quit exit
        shutdown / delete remove drop purge erase discard clear / create make build generate / change modify alter update edit
        / set configure assign specify define / get obtain retrieve fetch / show display print output appear / hide suppress
        silence / send submit transmit publish deliver / receive accept / refuse reject deny disallow forbid / allow permit
        enable / disable deactivate off / fail failure error / crash panic abort / wrong incorrect invalid / try attempt /
        retry repeat rerun again / wait delay pause sleep / late delay latency / fast quick quicker speed performance / slow
        latency / big large huge long / limit maximum max restrict / minimum min / size length / folder directory / save store
        persist write / load read import / connect link / lose disconnect drop / keep retain preserve maintain / ignore skip
        exclude omit / combine merge join concatenate unify / split divide separate partition / copy duplicate clone / move
        relocate transfer / find search locate lookup / check verify validate ensure / confirm acknowledge / choose select
        pick / order sort sequence / random shuffle / schedule periodic cron interval / parallel concurrent simultaneous /
        secret password credential key / encrypt cipher / login authenticate auth / authorize permission privilege / parameter
        argument / option flag switch setting / version release / old obsolete deprecated legacy outdated / dependency
        requirement prerequisite / package library module / install setup / upgrade update migrate / compile build / log
        logging record / function method callable / callback hook handler / event signal / object instance / inherit subclass
        derive extend / override overwrite replace / attribute property member field / text string / number integer / list
        array sequence / dictionary map mapping dict / loop iterate iteration / exception error / raise throw / catch handle /
        async asynchronous / task job / database db / row record / statement query / undo revert rollback / request call /
        body payload content / url address uri / domain host origin / website site / expire expiration timeout / hostile
        malicious attacker untrusted / protect secure guard prevent / crash die / empty blank / temporary tmp temp / count
        number amount / multiple several many / single one / unique distinct / same identical equal / different distinct /
        same equal / together combine / first initial / last final latest / before prior / during while / automatic
        automatically implicit / manual explicit / part piece component portion / program executable command binary / machine
        computer host / picture image / mail email / own ownership / test unittest / document documentation docs / comment
        annotation / example sample snippet / screen terminal console stdout / hang freeze deadlock block / memory ram heap /
        disk filesystem file / network socket / thread worker / startup initialization start / leave keep untouched / share
        common shared / depend rely / hint tip advice / recommend suggest advise / purpose aim / convert transform translate
        cast / parse decode / format serialize encode / compress gzip zip archive / extract unpack decompress / open access /
        close shut / wrap enclose / reuse recycle pool / fresh new / broken damaged corrupt / missing absent lost / unknown
        undefined unrecognized / warn warning alert / fix repair resolve correct / measure profile benchmark / display render
        / input stdin / edge boundary / environment env / abbreviation short shortcut / nested inner / parent outer enclosing
        / pending outstanding queued / daemon background service / duplicate double / gather collect aggregate / sum total /
        average mean / round truncate / equal match / match pattern regex / replace substitute / expand interpolate / prefix
        begin start / suffix end extension / position offset location / trigger fire / notify inform tell / listen subscribe /
        bind attach / detach unbind / nothing none null empty / visible public / private internal hidden / run execute launch
        start invoke 运行 执行 启动 実行 起動 실행 / stop terminate kill abort halt cancel interrupt 停止 终止 中止 取消
        キャンセル 중지 / end finish complete done conclude 结束 完成 終了 完了 종료 / quit exit shutdown leave / delete
        remove drop purge erase discard clear unlink 删除 清除 移除 清空 丢弃 削除 消去 捨て 삭제 / create make build generate
        produce construct 创建 生成 新建 作成 생성 / change modify alter update edit adjust amend 修改 更改 改变 変更 修正
        변경 / configure set setup assign specify define customize setting 设置 配置 设定 設定 설정 / get obtain retrieve
        fetch acquire 获取 取得 가져오기 / show display print output appear render 显示 打印 输出 表示 出力 표시 / hide
        suppress silence mute conceal 隐藏 非表示 / send submit transmit publish deliver post dispatch 发送 提交 送信 送る
        전송 / receive accept consume 接收 受信 / refuse reject deny disallow forbid prohibit block 拒绝 禁止 拒否 / allow
        permit enable grant 允许 许可 許可 허용 / activate enable on 启用 激活 有効 / deactivate disable off 禁用 关闭 無効 /
        fail failure error fault break 失败 错误 出错 故障 失敗 エラー 오류 / crash panic die abort 崩溃 クラッシュ / wrong
        incorrect invalid bad illegal malformed 无效 不正 / try attempt 尝试 試す / retry repeat rerun again redo 重试 重复
        再試行 / wait delay pause sleep postpone defer 等待 延迟 暂停 待つ 遅延 대기 / late delay latency slow lag / fast
        quick speed performance efficient rapid accelerate optimize 快速 加速 性能 高速 速度 성능 / big large huge long great
        大きい / small little short tiny minor / limit maximum max restrict cap threshold ceiling bound quota 限制 最大 上限
        制限 제한 / minimum min least lower 最小 最低 / size length width capacity 大小 长度 体积 サイズ 크기 / folder
        directory path 文件夹 目录 フォルダ ディレクトリ / file document 文件 ファイル 파일 / save store persist write dump
        keep 保存 存储 저장 / load read import open 加载 读取 导入 読み込 읽기 / upload submit send 上传 アップロード 업로드 /
        download fetch pull 下载 ダウンロード 다운로드 / connect link attach join 连接 接続 연결 / disconnect detach close
        hangup 断开 切断 / lose lost gone vanish disappear missing 丢失 / keep retain preserve maintain hold remain 保留 维护
        保持 / ignore skip exclude omit bypass 忽略 跳过 排除 無視 무시 / include contain comprise embed 包含 包括 含む 포함 /
        combine merge join concatenate unify aggregate collect 合并 结合 結合 병합 / split divide separate partition segment
        chunk 分割 拆分 分离 분할 / copy duplicate clone replicate mirror 复制 拷贝 コピー 複製 복사 / move relocate transfer
        migrate shift 移动 迁移 移動 이동 / rename name label title 重命名 名前 / find search locate lookup discover seek
        query 查找 搜索 検索 探す 검색 / check verify validate ensure inspect examine 检查 验证 校验 確認 検証 확인 / confirm
        acknowledge ack accept approve 确认 承認 / choose select pick decide prefer 选择 選択 선택 / order sort sequence
        arrange rank 排序 顺序 順序 順番 並べ 정렬 / random shuffle arbitrary 随机 ランダム / schedule periodic periodically
        cron interval timer recurring plan 定时 计划 定期 スケジュール / parallel concurrent simultaneous concurrency
        multithreaded 并行 并发 並列 並行 병렬 / secret password credential key passphrase token 密码 口令 密钥 パスワード
        비밀번호 / encrypt cipher decrypt crypto encryption 加密 暗号 / sign signature signed 签名 署名 / login authenticate
        auth signin logon authentication 登录 认证 ログイン 認証 로그인 / logout signout / authorize permission privilege
        grant role access 权限 授权 権限 권한 / user account member person 用户 账户 ユーザ 사용자 / administrator admin root
        superuser 管理员 管理者 / parameter argument arg operand 参数 引数 매개변수 / option flag switch setting preference
        选项 开关 オプション 옵션 / version release edition revision 版本 发布 バージョン リリース 버전 / old obsolete
        deprecated legacy outdated stale 过时 旧版 古い / new fresh recent latest newest 最新 新しい / dependency requirement
        prerequisite depend require need 依赖 要求 依存 의존 / package library module bundle 软件包 模块 パッケージ 패키지 /
        install setup deploy 安装 部署 インストール 설치 / uninstall remove 卸载 / upgrade update migrate 升级 更新
        アップグレード 업그레이드 / downgrade revert rollback / compile build make 编译 构建 コンパイル ビルド 컴파일 / link
        linker linking / log logging record journal logger 日志 记录 ログ 로그 / debug debugger trace diagnose troubleshoot
        调试 デバッグ / function method callable procedure routine subroutine 函数 方法 関数 メソッド 함수 / callback hook
        handler listener 回调 / event signal notification message 事件 信号 イベント / class type kind category 类型 クラス
        種類 / object instance value entity 对象 实例 オブジェクト / inherit subclass derive extend parent child base 继承
        継承 상속 / override overwrite replace supersede 覆盖 上書き / replace substitute swap exchange 替换 置換 置き換え /
        attribute property member field 属性 字段 フィールド 속성 / variable var 变量 変数 변수 / constant const literal 常量
        定数 / text string str characters 字符串 文本 文字列 문자열 / number integer int numeric numerical digit 数字 整数
        数値 숫자 / decimal float fraction floating 小数 / boolean bool true false / list array sequence vector 列表 数组
        リスト 配列 배열 / dictionary map mapping dict hash associative 字典 辞書 / loop iterate iteration repeat iterator
        循环 遍历 繰り返し ループ 반복 / condition conditional predicate criterion 条件 조건 / exception error raise throw
        异常 例外 예외 / catch handle trap except rescue 捕获 处理 処理 처리 / return yield result outcome 返回 结果 戻り 結果
        결과 / async asynchronous coroutine await nonblocking 异步 非同期 비동기 / synchronous blocking sync 同步 同期 / task
        job work 任务 作业 タスク ジョブ 작업 / queue backlog fifo pending outstanding waiting 队列 キュー 待ち 큐 / worker
        thread process 线程 进程 スレッド プロセス 스레드 / message mail notification 消息 メッセージ 메시지 / database db
        schema 数据库 データベース 데이터베이스 / table relation 表格 テーブル 테이블 / row record tuple entry 记录 行を
        레코드 / column field attribute / statement query select sql 查询 语句 クエリ 쿼리 / transaction commit atomic 事务
        提交 トランザクション / undo revert rollback reset restore 撤销 还原 回滚 元に戻 / backup restore recover recovery
        dump snapshot 备份 恢复 バックアップ 復元 백업 / index key primary unique 索引 インデックス / foreign reference
        referential constraint / request call invocation 请求 リクエスト 요청 / response reply answer 响应 回应 レスポンス
        応答 응답 / body payload content data 内容 正文 / header metadata preamble / url address uri link location 地址 链接
        アドレス / domain host origin hostname 域名 主机 ホスト ドメイン / website site web page webpage 网站 网页 サイト
        ページ / server daemon service backend 服务器 服务 サーバ 서버 / client browser frontend agent 客户端 浏览器
        クライアント ブラウザ / cache caching memoize 缓存 キャッシュ 캐시 / expire expiration timeout deadline expiry
        lifetime ttl 过期 超时 期限 タイムアウト 시간초과 / duration period interval span 期间 間隔 / cookie session state
        会话 セッション / template layout skeleton 模板 テンプレート / render draw paint plot display 渲染 绘制 描画 / form
        input field widget 表单 入力 フォーム / attack hostile malicious attacker untrusted exploit threat 攻击 恶意 攻撃 /
        protect secure guard prevent defend safe security 保护 防止 安全 保護 防ぐ 보호 / vulnerability flaw weakness hole
        漏洞 脆弱性 / empty blank void vacant none null nothing 空白 空の / temporary tmp temp transient ephemeral 临时 一時 /
        permanent persistent durable lasting 永久 永続 / count number amount quantity total 数量 总数 計数 / multiple several
        many various plural 多个 複数 / single one individual sole only 单个 一つ / unique distinct unrepeated once 唯一 一意
        / same identical equal equivalent alike 相同 同じ 동일 / different distinct differ difference compare comparison
        versus 区别 不同 差异 違い 差分 차이 / together combine jointly / first initial begin beginning start 开始 最初 初始
        開始 처음 / last final latest end 最后 最終 最後 / before prior previous preceding earlier 之前 以前 / after later
        following next subsequent 之后 以后 / during while meanwhile / automatic automatically implicit auto 自动 自動 자동 /
        manual manually explicit hand 手动 手動 / part piece component portion section fragment 部分 组件 部品 / program
        executable command binary application app tool utility 程序 命令 コマンド プログラム 명령 / machine computer host node
        system 机器 计算机 マシン / picture image photo graphic figure 图片 图像 画像 이미지 / mail email smtp 邮件 メール /
        own ownership owner belong possess 所有 所有权 所有者 / test unittest testing pytest 测试 テスト 테스트 / document
        documentation docs manual guide 文档 手册 説明書 文書 ドキュメント 문서 / describe description explain explanation
        summary 描述 说明 介绍 紹介 説明 설명 / comment annotation remark note 注释 コメント 주석 / example sample snippet
        demo illustration 例子 示例 サンプル 예제 / screen terminal console stdout shell tty 终端 控制台 画面 端末 / hang
        freeze deadlock stuck 死锁 卡住 / memory ram heap allocation allocate 内存 メモリ 메모리 / disk filesystem storage
        drive 磁盘 ディスク / network socket tcp connection 网络 ネットワーク 네트워크 / startup initialization boot bootstrap
        init 初始化 初期化 초기화 / untouched unchanged unmodified intact leave / share common shared 共享 共有 / recommend
        suggest advise advice hint tip 推荐 建议 推奨 권장 / purpose aim goal intention use 目的 用途 / convert transform
        translate cast coerce conversion 转换 变换 変換 변환 / parse decode interpret read 解析 / format serialize encode dump
        pretty 格式 编码 形式 符号化 / encoding charset unicode utf 编码 字符集 文字コード エンコーディング / compress gzip
        zip archive pack 压缩 圧縮 압축 / extract unpack decompress unzip expand 解压 提取 展開 / open access reach / close
        shut terminate 关闭 閉じる / wrap enclose surround / reuse recycle pool share / broken damaged corrupt corrupted 损坏
        破損 / missing absent unavailable lacking 缺少 缺失 不足 / unknown undefined unrecognized unexpected 未知 未定義 /
        warn warning alert caution 警告 경고 / false positive spurious bogus / fix repair resolve correct solve patch 修复
        解决 解決 直す 수정 / measure profile benchmark metric statistics 测量 计测 / edge boundary border limit / environment
        env 环境 環境 환경 / nested inner inside within embedded 嵌套 入れ子 / outside outer external enclosing 外部 /
        internal inner private 内部 / public visible exported / daemon background service 后台 守护 デーモン / foreground
        interactive / gather collect accumulate 收集 収集 / sum total add aggregate 总和 合計 / average mean median 平均 /
        round truncate rounding 四舍五入 / match pattern regex regexp glob wildcard 正则 匹配 正規表現 / expand interpolate
        substitute / prefix begin leading 前缀 接頭 / suffix end trailing extension 后缀 拡張子 / position offset location
        index 位置 / trigger fire activate cause 触发 / cause reason why 原因 理由 / notify inform tell alert 通知 / listen
        subscribe observe watch monitor 监听 监视 監視 / bind attach associate 绑定 / isolate isolated sandbox clean chroot
        container virtualenv 隔离 沙箱 隔離 / virtual vm container docker 虚拟 仮想 / duplicate double redundant repeated 重复
        重複 중복 / quote escape literal 引号 转义 引用 / whitespace space blank indent indentation 空格 缩进 / newline
        linebreak eol 换行 改行 / character char letter glyph 字符 文字 / language locale translation i18n
        internationalization 语言 翻译 言語 翻訳 언어 / date time datetime timestamp calendar 日期 时间 日付 時刻 日時 날짜 /
        day daily 每天 毎日 / week weekly 每周 毎週 / month monthly 每月 毎月 / timezone utc local zone 时区 / color colour
        颜色 色 / font typeface / axis axes / graph chart plot diagram 图表 グラフ / matrix array 矩阵 行列 / row line /
        column vertical / horizontal width / height vertical / derivative gradient slope 导数 / fit regression interpolate
        approximation approximate 拟合 / precision accuracy exact tolerance 精度 / overflow exceed wrap surpass 溢出 超过
        超える / negative minus / divide quotient division / remainder modulo modulus 余数 / power exponent exponential 指数 /
        root sqrt square / probability chance likelihood random / distribution distribute spread / dimension axis shape rank
        维度 次元 / immutable readonly constant frozen unchangeable 不可变 只读 / mutable changeable writable 可变 / borrow
        reference pointer address 借用 引用 参照 / lifetime scope duration 作用域 生存 / generic template parametric 泛型 /
        interface trait protocol contract abstract 接口 インターフェース / namespace scope module package 命名空间 名前空間 /
        macro preprocessor define 宏 / header include / compiler gcc clang toolchain 编译器 / target goal artifact output /
        source origin src 源代码 ソース / branch fork 分支 ブランチ / commit revision changeset checkin 提交 コミット /
        repository repo 仓库 リポジトリ / tag label mark 标签 タグ / diff patch delta change 差异 补丁 パッチ / conflict clash
        collision 冲突 衝突 / license licence copyright 许可证 ライセンス / maintainer developer author contributor 维护者
        开发者 メンテナ 開発者 / report bug issue ticket defect 报告 缺陷 バグ 報告 / upstream vendor original 上游 上流 /
        stable production release / unstable development testing experimental / deploy rollout publish production 部署 / scale
        scaling grow 扩展 拡張 / extend extension plugin addon 扩展 插件 拡張 プラグイン / route routing path endpoint mapping
        路由 ルーティング / redirect forward relay proxy 重定向 代理 转发 プロキシ 転送 / static asset assets / middleware
        filter interceptor 中间件 / stream streaming pipe flow 流式 ストリーム / buffer buffering queue 缓冲 / flush sync
        write commit / lock mutex exclusive semaphore 锁定 ロック / unlock release free / allocate reserve claim 分配 / free
        release deallocate dispose 释放 解放 / leak unfreed / garbage gc collector / nonzero exit status code return / signal
        sigterm sigkill sigint interrupt / child subprocess spawn fork 子进程 子プロセス / nice priority precedence importance
        优先级 優先 / precedence priority order operator / default standard usual normal builtin 默认 缺省 デフォルト 既定
        기본 / custom own specialized user-defined 自定义 カスタム / optional may voluntary 可选 任意 / mandatory required
        obligatory must compulsory 必须 必需 必須 필수 / force enforce require compel 强制 強制 / prompt ask question
        interactive confirm 询问 質問 / quiet silent verbose verbosity / verbose detailed detail / simple easy basic plain
        简单 簡単 / complex complicated difficult advanced 复杂 複雑 / equal match compare equality / greater exceed larger
        above more / less fewer below smaller under / between range interval 范围 範囲 범위 / join merge connect / group
        cluster bundle category 分组 グループ / filter restrict narrow screen where 过滤 筛选 絞り / page paginate pagination
        offset limit 分页 / top head beginning / bottom tail end / truncate cut shorten trim strip 截断 / append add attach
        extend push 追加 添加 추가 / insert add put 插入 挿入 삽입 / prepend front / pop remove take / register registration
        enroll declare 注册 登録 등록 / declare define declaration definition state 声明 定义 宣言 定義 정의 / evaluate
        compute calculate calculation 计算 評価 計算 계산 / lazy deferred ondemand 懒加载 遅延 / eager immediate instantly
        immediately 立即 / once single / always every constantly / never not / rotate rotation roll cycle rotating 轮换 / key
        keyfile certificate cert ssl tls https 证书 証明書 / hash digest checksum fingerprint sha256 md5 哈希 校验和 ハッシュ
        / exact exactly identical same precise / guess detect infer determine 检测 検出 추측 / recursive recursively nested
        递归 再帰 / depth level nesting / tree hierarchy hierarchical 树形 階層 / leaf terminal / walk traverse visit 遍历 /
        abbreviation alias shortcut short nickname 别名 エイリアス / symbolic symlink link / mount attach / partition volume
        disk / quota limit usage / usage use consumption utilization 使用 利用 사용 / unused idle inactive dormant 空闲 未使用
        / busy active load / health alive heartbeat ping liveness 心跳 / status state condition 状态 状態 상태 / progress
        percent / cost price expense / reason motive why cause / advantage benefit pro / drawback disadvantage downside con /
        danger risk hazard unsafe dangerous 危险 危険
        """
