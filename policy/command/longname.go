package command

import "strings"

// Programs that read their words with getopt_long, argp, argparse or the
// parser of git take any beginning of a long option that no other option of
// theirs shares: rm --recurs, tar --to-comm. Such a beginning is spelled out
// before anything looks at it. One that several options share is each of
// them: the program would refuse it, another version of it may not.

func init() {
	for program, names := range longNames {
		s, ok := specs[program]
		s.names, s.bare = names, !ok
		specs[program] = s
	}
}

// spelled gives the names that a beginning of one may stand for, none for a
// name that is whole or that no option begins with.
func (s *spec) spelled(name string) []string {
	if name == "" || s.exact || s.whole {
		return nil
	}
	var found []string
	for n := range strings.FieldsSeq(s.names) {
		if n == name {
			return nil
		}
		if strings.HasPrefix(n, name) {
			found = append(found, n)
		}
	}
	for _, n := range s.long {
		if n == name {
			return nil
		}
		if strings.HasPrefix(n, name) && !has(found, n) {
			found = append(found, n)
		}
	}
	return found
}

// wholeName gives the whole name of an option where all of the program's are
// known and one alone begins so.
func (s *spec) wholeName(name string) string {
	if s.names == "" {
		return name
	}
	if found := s.spelled(name); len(found) == 1 {
		return found[0]
	}
	return name
}

// Spellings gives the words of a fact's long options that were cut short, as
// they may be meant: each whole name that they may stand for.
func Spellings(f *Fact) []Word {
	if !anyLong(f.Args) {
		return nil
	}
	s, _ := specOf(f.Program)
	var out []Word
	for _, a := range f.Args {
		written, long := strings.CutPrefix(a.Text, "--")
		if !long {
			continue
		}
		name, _, _ := strings.Cut(written, "=")
		for _, whole := range s.spelled(name) {
			a.Text = "--" + whole + written[len(name):]
			out = append(out, a)
		}
	}
	return out
}

// spelledOut copies args only where a name was cut short. What stands behind
// the first operand of a program that starts others is left as it is.
func spelledOut(program string, args []Word) []Word {
	if !anyLong(args) {
		return args
	}
	s, _ := specOf(program)
	if s.names == "" {
		return args
	}
	n, copied := len(args), false
	if strings.HasPrefix(s.names, "+") {
		n = leading(program, args)
	}
	for i := range args[:n] {
		t := args[i].Text
		if t == "--" {
			break
		}
		if !strings.HasPrefix(t, "--") {
			continue
		}
		name, _, _ := strings.Cut(t[2:], "=")
		whole := s.wholeName(name)
		if whole == name {
			continue
		}
		if !copied {
			args, copied = append([]Word(nil), args...), true
		}
		args[i].Text = "--" + whole + t[2+len(name):]
	}
	return args
}

func anyLong(args []Word) bool {
	for i := range args {
		if strings.HasPrefix(args[i].Text, "--") && len(args[i].Text) > 2 {
			return true
		}
	}
	return false
}

// longNames are the long options of a program, or of a subcommand of git. A +
// in front says that the options end at the first operand. Sources: --help of
// GNU coreutils 9.1, tar 1.34, sed, grep and findutils, util-linux 2.38,
// shadow 4.13, systemd 252, procps 4, psmisc, wget 1.21, PostgreSQL 15, GnuPG 2.2,
// dpkg 1.21, man-db, make 4.3, xz, strace, cpio and acl. Of iptables, MySQL, mdadm,
// cryptsetup, GNU parallel, Ansible, Octave, rsync, kmod and git's subcommands not all
// are here: a name that is missing is read as it is written, and what begins as
// several names of which one is missing is taken for the others.
var longNames = map[string]string{
	"adduser": `add-extra-groups allow-all-names allow-bad-names comment conf debug disabled-login disabled-password firstgid firstuid gid group home ingroup lastgid lastuid
no-create-home quiet shell system uid verbose`,
	"ansible": `args ask-become-pass ask-pass ask-vault-pass ask-vault-password background become become-method become-password-file become-user check connection
connection-password-file diff extra-vars forks help inventory key-file limit list-hosts module-name module-path one-line playbook-dir poll private-key scp-extra-args
sftp-extra-args ssh-common-args ssh-extra-args task-timeout timeout tree user vault-id vault-pass-file vault-password-file verbose version`,
	"ansible-playbook": `ask-become-pass ask-pass ask-vault-pass ask-vault-password become become-method become-password-file become-user check connection connection-password-file diff
extra-vars flush-cache force-handlers forks help inventory key-file limit list-hosts list-tags list-tasks module-path private-key scp-extra-args sftp-extra-args
skip-tags ssh-common-args ssh-extra-args start-at-task step syntax-check tags timeout user vault-id vault-pass-file vault-password-file verbose version`,
	"aws":        "+ ca-bundle cli-connect-timeout cli-read-timeout color debug endpoint-url no-paginate no-sign-request no-verify-ssl output profile query region version",
	"base64":     "decode help ignore-garbage version wrap",
	"blkdiscard": "force help length offset secure step verbose version zeroout",
	"busctl": `acquired activatable address allow-interactive-authorization augment-creds auto-start destination expect-reply full help host json list machine match no-legend
no-pager quiet show-machine size system timeout unique user verbose version watch-bind xml-interface`,
	"bzip2": "best compress decompress fast force help keep license quiet small stdout test verbose version",
	"capsh": `addamb cap-uid caps chroot current decode delamb drop explain forkfor gid groups has-a has-ambient has-b has-i has-no-new-privs has-p help iab inh inmode is-gid
is-uid keep killit license mode modes no-new-privs noamb noenv print quiet secbits shell strict suggest supports uid user`,
	"chage":    "expiredate help inactive iso8601 lastday list maxdays mindays root warndays",
	"chgrp":    "changes dereference help no-dereference no-preserve-root preserve-root quiet recursive reference silent verbose version",
	"chmod":    "changes help no-preserve-root preserve-root quiet recursive reference silent verbose version",
	"chown":    "changes dereference from help no-dereference no-preserve-root preserve-root quiet recursive reference silent verbose version",
	"chpasswd": "crypt-method encrypted help md5 root sha-rounds",
	"chroot":   "+ groups help skip-chdir userspec version",
	"chrt":     "+ all-tasks batch deadline fifo help idle max other pid reset-on-fork rr sched-deadline sched-period sched-runtime verbose version",
	"chsh":     "help root shell",
	"cp": `archive attributes-only backup context copy-contents dereference force help interactive link no-clobber no-dereference no-preserve no-target-directory
one-file-system parents preserve recursive reflink remove-destination sparse strip-trailing-slashes suffix symbolic-link target-directory update verbose version`,
	"cpio": `absolute-filenames append block-size create dereference device-independent directory dot extract file force-local format help ignore-devno io-size link list
make-directories message no-absolute-filenames no-preserve-owner nonmatching null numeric-uid-gid only-verify-crc owner pass-through pattern-file
preserve-modification-time quiet rename rename-batch-file renumber-inodes reproducible reset-access-time rsh-command sparse swap swap-bytes swap-halfwords to-stdout
unconditional usage verbose version warning`,
	"createdb": `echo encoding help host icu-locale lc-collate lc-ctype locale locale-provider maintenance-db no-password owner password port strategy tablespace template username
version`,
	"createuser": `connection-limit createdb createrole echo help host inherit interactive login no-createdb no-createrole no-inherit no-login no-password no-replication no-superuser
password port pwprompt replication role superuser username version`,
	"cryptsetup": `align-payload allow-discards batch-mode cancel-deferred cipher debug decrypt deferred dump-master-key dump-volume-key encrypt force-password hash header
header-backup-file help init-only integrity iter-time keep-key key-file key-size key-slot label master-key-file new-key-slot new-keyfile-size offset pbkdf
pbkdf-memory pbkdf-parallel perf-same_cpu_crypt persistent priority readonly reduce-device-size refresh resume-only sector-size shared size skip subsystem
tcrypt-backup tcrypt-hidden tcrypt-system test-passphrase timeout token-id token-only tries type unbound use-random use-urandom uuid veracrypt verbose
verify-passphrase version volume-key-file wipe-all`,
	"cut":     "bytes characters complement delimiter fields help only-delimited output-delimiter version zero-terminated",
	"date":    "date debug file help iso-8601 reference resolution rfc-3339 rfc-email set universal utc version",
	"deluser": "backup backup-suffix backup-to conf debug group only-if-empty quiet remove-all-files remove-home system verbose",
	"dmesg": `buffer-size clear color console-level console-off console-on ctime decode facility file follow follow-new force-prefix help human json kernel level noescape nopager
notime raw read-clear reltime show-delta since syslog time-format until userspace version`,
	"dpkg": `abort-after add-architecture admindir assert- assert-help audit auto-deconfigure build clear-avail clear-selections compare-versions configure contents control
ctrl-tarfile debug dry-run extract field force- force-help forget-old-unavail fsys-tarfile get-selections help ignore-depends info install instdir list listfiles log
merge-avail no-act no-debsig no-force- no-pager path-exclude path-include pending post-invoke pre-invoke predep-package print-architecture print-avail
print-foreign-architectures purge record-avail recursive refuse- refuse-downgrade remove remove-architecture robot root search selected-only set-selections simulate
skip-same-version status status-fd status-logger triggers-only unpack update-avail validate- verify verify-format version vextract yet-to-unpack`,
	"dropdb":    "echo force help host if-exists interactive maintenance-db no-password password port username version",
	"dropuser":  "echo help host if-exists interactive no-password password port username version",
	"env":       "+ block-signal chdir debug default-signal help ignore-environment ignore-signal list-signal-handling null split-string unset version",
	"faillock":  "dir help reset user",
	"faillog":   "all help lock-secs maximum reset root time user",
	"fallocate": "collapse-range dig-holes help insert-range keep-size length offset posix punch-hole verbose version zero-range",
	"file": `apple brief checking-printout compile debug dereference exclude exclude-quiet extension files-from help keep-going list magic-file mime mime-encoding mime-type
no-buffer no-dereference no-pad no-sandbox parameter preserve-date print0 raw separator special-files uncompress uncompress-noreport version`,
	"flock":    "+ close command conflict-exit-code exclusive help no-fork nonblock shared timeout unlock verbose version",
	"fsfreeze": "freeze help unfreeze version",
	"fstrim":   "all dry-run fstab help length listed-in minimum offset quiet-unsupported verbose version",
	"fuser":    "all help inode interactive ipv4 ipv6 ismountpoint kill list-signals mount namespace silent user verbose version writeonly",
	"git clone": `also-filter-submodules bare branch bundle-uri config depth dissociate filter ipv4 ipv6 jobs local mirror no-checkout no-hardlinks no-tags origin progress quiet
recurse-submodules recursive reference reference-if-able reject-shallow remote-submodules separate-git-dir server-option shallow-exclude shallow-since
shallow-submodules shared single-branch sparse template upload-pack verbose`,
	"git difftool": "dir-diff extcmd gui index no-index prompt rotate-to skip-to symlinks tool tool-help trust-exit-code",
	"git fetch": `all append atomic auto-gc auto-maintenance deepen depth dry-run filter force ipv4 ipv6 jobs keep multiple negotiate-only negotiation-tip no-tags porcelain prefetch
progress prune prune-tags quiet recurse-submodules refetch refmap server-option set-upstream shallow-exclude shallow-since show-forced-updates stdin tags unshallow
update-head-ok update-shallow upload-pack verbose write-commit-graph write-fetch-head`,
	"git grep": `after-context all-match and basic-regexp before-context break cached color column context count exclude-standard ext-grep extended-regexp files-with-matches
files-without-match fixed-strings full-name function-context heading ignore-case invert-match line-number max-count max-depth name-only no-index not null
only-matching open-files-in-pager or perl-regexp quiet recurse-submodules recursive show-function text textconv threads untracked word-regexp`,
	"git pull": `all allow-unrelated-histories append autostash cleanup commit deepen depth dry-run edit ff ff-only force gpg-sign ipv4 ipv6 jobs keep log negotiation-tip progress
prune quiet rebase recurse-submodules refmap server-option set-upstream shallow-exclude shallow-since show-forced-updates signoff squash stat strategy
strategy-option summary tags unshallow update-shallow upload-pack verbose verify verify-signatures`,
	"git push": `all atomic branches delete dry-run exec follow-tags force force-if-includes force-with-lease ipv4 ipv6 mirror no-verify porcelain progress prune push-option quiet
receive-pack recurse-submodules repo set-upstream signed tags thin verbose`,
	"git rebase": `abort apply autosquash autostash committer-date-is-author-date continue edit-todo empty exec force-rebase fork-point gpg-sign ignore-whitespace interactive keep-base
keep-empty merge no-ff no-stat no-verify onto quiet quit reapply-cherry-picks rebase-merges rerere-autoupdate reschedule-failed-exec reset-author-date root
show-current-patch signoff skip strategy strategy-option update-refs verbose whitespace`,
	"gpasswd": "add administrators delete help members remove-password restrict root",
	"gpg": `armor auto-key-import auto-key-locate batch card-status change-passphrase change-pin check-signatures clear-sign decrypt default-key delete-keys
delete-secret-and-public-key delete-secret-keys detach-sign disable-dirmngr dry-run edit-card edit-key encrypt encrypt-to export export-secret-keys
export-secret-subkeys fingerprint full-generate-key gen-key generate-key generate-revocation group homedir import include-key-block interactive keyring keyserver
list-keys list-secret-keys list-signatures local-user log-file lsign-key no-tty openpgp options output passphrase passphrase-fd passphrase-file pinentry-mode
print-md quick-add-uid quick-generate-key quick-lsign-key quick-revoke-sig quick-revoke-uid quick-set-expire quick-sign-key quiet receive-keys recipient recv-keys
refresh-keys search-keys secret-keyring send-keys server sign sign-key symmetric textmode tofu-policy update-trustdb verbose verify yes`,
	"grep": `after-context basic-regexp before-context binary binary-files byte-offset color colour context count dereference-recursive devices directories exclude exclude-dir
exclude-from extended-regexp file files-with-matches files-without-match fixed-strings group-separator help ignore-case include initial-tab invert-match label
line-buffered line-number line-regexp max-count no-filename no-group-separator no-ignore-case no-messages null null-data only-matching perl-regexp quiet recursive
regexp silent text version with-filename word-regexp`,
	"groupadd":    "force gid help key non-unique password prefix root system users",
	"groupdel":    "force help prefix root",
	"groupmod":    "append gid help new-name non-unique password prefix root users",
	"gunzip":      "force help keep list name no-name quiet recursive stdout suffix synchronous test verbose version",
	"gzip":        "best decompress fast force help keep license list name no-name quiet recursive rsyncable stdout suffix synchronous test verbose version",
	"head":        "bytes help lines quiet silent verbose version zero-terminated",
	"hostnamectl": "help host json machine no-ask-password pretty static transient version",
	"hwclock":     `adjfile adjust date delay directisa get hctosys help localtime noadjfile param-get param-set predict rtc set show systohc systz test update-drift utc verbose version`,
	"install": `backup compare context directory group help mode no-target-directory owner preserve-context preserve-timestamps strip strip-program suffix target-directory verbose
version`,
	"ionice": "+ class classdata help ignore pgid pid uid version",
	"iptables": `append check comment ctstate delete delete-chain destination destination-port destination-ports dport dports dst-range exact flush fragment gid-owner goto help
icmp-type in-interface insert ipv4 ipv6 jump limit limit-burst line-numbers list list-rules log-level log-prefix mac-source mark match modprobe new-chain numeric
out-interface policy protocol reject-with rename-chain replace set-counters set-mark source source-port source-ports sport sports src-range state syn table tcp-flags
to-destination to-ports to-source uid-owner verbose version wait zero`,
	"journalctl": `after-cursor all boot case-sensitive catalog cursor cursor-file directory disk-usage dmesg dump-catalog facility field fields file flush follow force grep header
help identifier image interval lines list-boots list-catalog machine merge namespace no-full no-hostname no-pager no-tail output output-fields pager-end priority
quiet relinquish-var reverse root rotate setup-keys show-cursor since smart-relinquish-var sync system unit until update-catalog user user-unit utc vacuum-files
vacuum-size vacuum-time verify verify-key version`,
	"killall": "context exact ignore-case interactive list ns older-than process-group quiet regexp signal user verbose version wait younger-than",
	"last":    "dns file fullnames fulltimes help hostlast ip limit nohostname present since system time-format until version",
	"lastlog": "before clear help root set time user",
	"less": `HILITE-SEARCH HILITE-UNREAD IGNORE-CASE LINE-NUMBERS LOG-FILE LONG-PROMPT QUIET QUIT-AT-EOF RAW-CONTROL-CHARS SEARCH-SKIP-SCREEN SILENT UNDERLINE-SPECIAL
auto-buffers buffers chop-long-lines clear-screen color dumb file-size follow-name force help hilite-search hilite-unread ignore-case incsearch jump-target
lesskey-file line-num-width line-numbers log-file long-prompt max-back-scroll max-forw-scroll mouse no-histdups no-init no-keypad no-lessopen pattern prompt quiet
quit-at-eof quit-if-one-screen quit-on-intr quotes raw-control-chars rscroll save-marks search-skip-screen shift silent squeeze-blank-lines status-col-width
status-column tabs tag tag-file tilde underline-special use-backslash use-color version wheel-lines window`,
	"ln": "backup directory force help interactive logical no-dereference no-target-directory physical relative suffix symbolic target-directory verbose version",
	"logger": `file help id journald msgid no-act octet-count port prio-prefix priority rfc3164 rfc5424 sd-id sd-param server size skip-empty socket socket-errors stderr tag tcp
udp version`,
	"loginctl": "all full help host kill-whom lines machine no-ask-password no-legend no-pager output property signal value version",
	"losetup": `all associated detach detach-all direct-io find help json list noheadings nooverlap offset output output-all partscan raw read-only sector-size set-capacity show
sizelimit verbose version`,
	"make": `always-make assume-new assume-old check-symlink-times debug directory dry-run environment-overrides eval file help ignore-errors include-dir jobs just-print
keep-going load-average makefile max-load new-file no-builtin-rules no-builtin-variables no-keep-going no-print-directory no-silent old-file output-sync
print-data-base print-directory question quiet recon silent stop touch trace version warn-undefined-variables what-if`,
	"man": `all apropos ascii catman config-file debug default ditroff encoding extension global-apropos gxditview help html ignore-case local-file locale location location-cat
manpath match-case names-only nh nj no-hyphenation no-justification no-subpages pager path preprocessor prompt recode regex sections systems troff troff-device
update usage version warnings whatis where where-cat wildcard`,
	"mdadm": `action add alert array-size assemble assume-clean auto auto-detect backup-file bitmap bitmap-chunk brief build chunk config consistency-policy continue create
daemonise data-offset delay detail dump examine examine-badblocks examine-bitmap export fail follow force freeze-reshape grow help help-options homehost incremental
invalid-backup kill-subarray layout level mail manage metadata misc monitor name no-devices oneshot parity pid-file program query quiet raid-devices raid-disks
re-add readonly readwrite remove replace restore rounding run scan set-faulty size sparc spare-devices stop super-minor symlinks syslog test update update-subarray
uuid verbose version wait wait-clean with write-behind write-journal write-mostly zero-superblock`,
	"mkdir":  "context help mode parents verbose version",
	"mkfs":   "help type verbose version",
	"mkswap": "check force help label lock pagesize quiet swapversion uuid verbose version",
	"modprobe": `all config dirname dry-run first-time force force-modversion force-vermagic help ignore-install ignore-remove quiet remove remove-dependencies remove-holders
resolve-alias set-version show-config show-depends show-exports show-modversions syslog use-blacklist verbose version wait`,
	"mount": `all bind fake fork fstab help internal-only label make-private make-rprivate make-rshared make-rslave make-runbindable make-shared make-slave make-unbindable mkdir
move namespace no-canonicalize no-mtab options options-mode options-source options-source-force rbind read-only read-write rw show-labels source target target-prefix
test-opts types uuid verbose version`,
	"mv": "backup context force help interactive no-clobber no-target-directory strip-trailing-slashes suffix target-directory update verbose version",
	"mysql": `auto-rehash auto-vertical-output batch binary-as-hex bind-address bootstrap-server character-sets-dir column-names column-type-info comments compress connect-timeout
database debug default-auth default-character-set defaults-extra-file defaults-file defaults-group-suffix delimiter execute force help histignore host html
i-am-a-dummy ignore-spaces init-command line-numbers local-infile login-path max-allowed-packet named-commands net-buffer-length no-auto-rehash no-beep no-defaults
one-database pager password plugin-dir port print-defaults prompt protocol quick raw reconnect safe-updates secure-auth select-limit show-warnings sigint-ignore
silent skip-column-names socket ssl-ca ssl-cert ssl-key ssl-mode syslog table tee unbuffered user verbose version vertical wait xml`,
	"mysqladmin": "count force help host password port protocol relative shutdown-timeout silent sleep socket user verbose version vertical wait",
	"mysqldump": `add-drop-database add-drop-table add-drop-trigger add-locks all-databases all-tablespaces databases delete-master-logs dump-date events extended-insert
fields-terminated-by flush-logs flush-privileges force help hex-blob host ignore-table insert-ignore lock-all-tables lock-tables master-data no-create-db
no-create-info no-data no-tablespaces opt order-by-primary password port quick quote-names replace result-file routines set-gtid-purged single-transaction
skip-lock-tables socket source-data tab tables triggers user verbose version where xml`,
	"nice":    "+ adjustment help version",
	"nsenter": "+ all cgroup follow-context help ipc mount net no-fork pid preserve-credentials root setgid setuid target time user uts version wd wdns",
	"octave": `braindead built-in-docstrings-file debug debug-jit doc-cache-file echo-commands eval exec-path experimental-terminal-widget force-gui gui help image-path info-file
info-program interactive jit-compiler line-editing no-gui no-history no-init-file no-init-path no-line-editing no-site-file no-window-system norc path persist quiet
server silent texi-macros-file traditional verbose version`,
	"parallel": `arg-file arg-file-sep arg-sep bar basefile bg block cat cleanup colsep compress compress-program csv ctrlc delay delimiter dry-run env env_ eof eta exit fast fg fifo
filter group halt halt-on-error header help hgrp hostgroups interactive joblog jobs keep-order limit line-buffer linebuffer load max-args max-chars max-lines
max-procs max-replace-args memfree nice no-notice no-run-if-empty nonall null number-of-cores number-of-cpus onall open-tty pipe pipe-part plain plus profile
progress quote recend record-env recstart remove-rec-sep results resume resume-failed retries retry-failed return round-robin rpl semaphore semaphore-name
semaphore-timeout seqreplace shebang shellquote shuf skip-first-line sql sqlmaster sqlworker ssh sshdelay sshlogin sshloginfile tag tagstring tee tempdir termseq
timeout tmpdir tmux tmuxpane tollef total-jobs transfer transferfile trc trim ungroup use-compress-program use-cpus-instead-of-cores verbose version wait wd
will-cite workdir xargs`,
	"passwd": "all delete expire help inactive keep-tokens lock maxdays mindays quiet repository root status stdin unlock warndays",
	"patch": `backup backup-if-mismatch basename-prefix batch binary context directory dry-run ed force forward fuzz get help ifdef ignore-whitespace input merge
no-backup-if-mismatch normal output posix prefix quiet quoting-style read-only reject-file reject-format remove-empty-files reverse set-time set-utc silent strip
suffix unified verbose version version-control`,
	"pg_dump": `binary-upgrade blobs clean column-inserts compress create data-only dbname disable-dollar-quoting disable-triggers enable-row-security encoding exclude-schema
exclude-table exclude-table-data extension extra-float-digits file format help host if-exists include-foreign-data inserts jobs load-via-partition-root
lock-wait-timeout no-blobs no-comments no-owner no-password no-privileges no-publications no-security-labels no-subscriptions no-sync no-table-access-method
no-tablespaces no-toast-compression no-unlogged-table-data on-conflict-do-nothing password port quote-all-identifiers restrict-key role rows-per-insert schema
schema-only section serializable-deferrable snapshot strict-names superuser table use-set-session-authorization username verbose version`,
	"pg_restore": `clean create data-only dbname disable-triggers enable-row-security exclude-schema exit-on-error file format function help host if-exists index jobs list no-comments
no-data-for-failed-tables no-owner no-password no-privileges no-publications no-security-labels no-subscriptions no-table-access-method no-tablespaces password port
restrict-key role schema schema-only section single-transaction strict-names superuser table trigger use-list use-set-session-authorization username verbose version`,
	"pgrep": `cgroup count delimiter euid exact full group help ignore-ancestors ignore-case inverse lightweight list-full list-name logpidfile newest ns nslist older oldest
parent pgroup pidfile runstates session terminal uid version`,
	"pkill": `cgroup count echo euid exact full group help ignore-ancestors ignore-case logpidfile newest ns nslist older oldest parent pgroup pidfile queue runstates session
signal terminal uid version`,
	"prlimit": "+ as core cpu data fsize help locks memlock msgqueue nice nofile noheadings nproc output pid raw rss rtprio rttime sigpending stack verbose version",
	"psql": `command csv dbname echo-all echo-errors echo-hidden echo-queries expanded field-separator field-separator-zero file help host html list log-file no-align no-password
no-psqlrc no-readline output password port pset quiet record-separator record-separator-zero set single-line single-step single-transaction table-attr tuples-only
username variable version`,
	"renice": "help pgrp pid priority user version",
	"rm":     "dir force help interactive no-preserve-root one-file-system preserve-root recursive verbose version",
	"rmdir":  "help ignore-fail-on-non-empty parents verbose version",
	"rsync": `acls address append append-verify archive atimes backup backup-dir block-size blocking-io bwlimit checksum checksum-choice checksum-seed chmod chown compare-dest
compress compress-choice compress-level config contimeout copy-as copy-dest copy-devices copy-dirlinks copy-links copy-unsafe-links crtimes cvs-exclude daemon debug
del delay-updates delete delete-after delete-before delete-delay delete-during delete-excluded delete-missing-args devices dirs dry-run early-input exclude
exclude-from executability existing fake-super files-from filter force from0 fsync fuzzy group groupmap hard-links help human-readable iconv ignore-errors
ignore-existing ignore-missing-args ignore-times include include-from info inplace ipv4 ipv6 itemize-changes keep-dirlinks link-dest links list-only log-file
log-file-format max-alloc max-delete max-size min-size mkpath modify-window munge-links no-OPTION no-implied-dirs no-motd numeric-ids old-args old-dirs
omit-dir-times omit-link-times one-file-system only-write-batch open-noatime out-format outbuf owner partial partial-dir password-file perms port preallocate
progress protect-args protocol prune-empty-dirs quiet read-batch recursive relative remote-option remove-source-files rsh rsync-path safe-links secluded-args sender
server size-only skip-compress sockopts sparse specials stats stderr stop-after stop-at suffix super temp-dir timeout times trust-sender update usermap verbose
version whole-file write-batch write-devices xattrs`,
	"rtcwake": "adjfile auto date device dry-run help list-modes local mode seconds time utc verbose version",
	"runuser": "command fast group help login preserve-environment pty session-command shell supp-group user version whitelist-environment",
	"script":  "append command echo flush force help log-in log-io log-out log-timing logging-format output-limit quiet return timing version",
	"sed":     "debug expression file follow-symlinks help in-place line-length null-data posix quiet regexp-extended sandbox separate silent unbuffered version",
	"setfacl": "default help logical mask modify modify-file no-mask physical recursive remove remove-all remove-default remove-file restore set set-file test version",
	"setpriv": `+ ambient-caps apparmor-profile bounding-set clear-groups dump egid euid groups help inh-caps init-groups keep-groups nnp no-new-privs pdeathsig regid reset-env
reuid rgid ruid securebits selinux-label version`,
	"setsid": "+ ctty fork help version wait",
	"shred":  "exact force help iterations random-source remove size verbose version zero",
	"shuf":   "echo head-count help input-range output random-source repeat version zero-terminated",
	"sort": `batch-size buffer-size check compress-program debug dictionary-order field-separator files0-from general-numeric-sort help human-numeric-sort ignore-case
ignore-leading-blanks ignore-nonprinting key merge month-sort numeric-sort output parallel random-sort random-source reverse sort stable temporary-directory unique
version version-sort zero-terminated`,
	"split": "additional-suffix bytes elide-empty-files filter help hex-suffixes line-bytes lines number numeric-suffixes separator suffix-length unbuffered verbose version",
	"ss": `all bpf cgroup context contexts dccp diag events extended family filter help inet-sockopt info ipv4 ipv6 kill listening memory mptcp net no-header numeric oneline
options packet processes query raw resolve sctp socket summary tcp threads tipc tipcinfo tos udp unix version vsock xdp`,
	"start-stop-daemon": `background chdir chroot chuid exec group help iosched make-pidfile name nicelevel no-close notify-await notify-timeout oknodo output pid pidfile ppid procsched quiet
remove-pidfile retry signal start startas status stop test umask user verbose version`,
	"stdbuf": "+ error help input output version",
	"strace": `+ abbrev absolute-timestamps attach columns const-print-style daemonize debug decode-fds decode-pids detach-on env failed-only fault follow-forks help inject
instruction-pointer interruptible kvm no-abbrev output output-append-mode output-separately quiet raw read relative-timestamps seccomp-bpf signal stack-traces status
string-limit strings-in-hex successful-only summary summary-columns summary-only summary-sort-by summary-syscall-overhead summary-wall-clock syscall-number
syscall-times tips trace trace-path user verbose version write`,
	"strip": `disable-deterministic-archives discard-all discard-locals enable-deterministic-archives help info input-target keep-file-symbols keep-section keep-section-symbols
keep-symbol merge-notes no-merge-notes only-keep-debug output-target preserve-dates remove-relocations remove-section strip-all strip-debug strip-dwo strip-symbol
strip-unneeded target verbose version wildcard`,
	"su": "command fast group help login preserve-environment pty session-command shell supp-group version whitelist-environment",
	"sudo": `+ askpass background bell chdir chroot close-from command-timeout edit group help host list login non-interactive other-user preserve-env preserve-groups prompt
remove-timestamp reset-timestamp role set-home shell stdin type user validate version`,
	"swapoff": "all help verbose version",
	"swapon":  "all bytes discard fixpgsz help ifexists noheadings options priority raw show summary verbose version",
	"sysctl":  "all binary deprecated dry-run help ignore load names pattern quiet system values version write",
	"systemctl": `after all before boot-loader-entry boot-loader-menu check-inhibitors dry-run failed firmware-setup force full global help host image job-mode kill-value kill-who
kill-whom legend lines machine marked message mkdir no-ask-password no-block no-legend no-pager no-reload no-wall no-wtmp now output plain preset-mode property quiet
read-only recursive reverse root runtime show-transaction show-types signal state system timestamp type user value version wait what with-dependencies`,
	"systemd-run": `+ collect description gid help host machine nice no-ask-password no-block on-active on-boot on-calendar on-clock-change on-startup on-timezone-change on-unit-active
on-unit-inactive path-property pipe property pty quiet remain-after-exit same-dir scope send-sighup service-type setenv shell slice slice-inherit socket-property
timer-property uid unit user version wait working-directory`,
	"systemd-tmpfiles": "boot cat-config clean create exclude-prefix help image no-pager prefix remove replace root user version",
	"tac":              "before help regex separator version",
	"tail":             "bytes follow help lines max-unchanged-stats pid quiet retry silent sleep-interval verbose version zero-terminated",
	"tar": `absolute-names acls add-file after-date anchored append atime-preserve auto-compress backup block-number blocking-factor bzip2 catenate check-device check-links
checkpoint checkpoint-action clamp-mtime compare compress concatenate confirmation create delay-directory-restore delete dereference diff directory exclude
exclude-backups exclude-caches exclude-caches-all exclude-caches-under exclude-from exclude-ignore exclude-ignore-recursive exclude-tag exclude-tag-all
exclude-tag-under exclude-vcs exclude-vcs-ignores extract file files-from force-local format full-time get group group-map gunzip gzip hard-dereference help
hole-detection ignore-case ignore-command-error ignore-failed-read ignore-zeros incremental index-file info-script interactive keep-directory-symlink
keep-newer-files keep-old-files label level list listed-incremental lzip lzma lzop mode mtime multi-volume new-volume-script newer newer-mtime no-acls no-anchored
no-auto-compress no-check-device no-delay-directory-restore no-ignore-case no-ignore-command-error no-null no-overwrite-dir no-quote-chars no-recursion no-same-owner
no-same-permissions no-seek no-selinux no-unquote no-verbatim-files-from no-wildcards no-wildcards-match-slash no-xattrs null numeric-owner occurrence old-archive
one-file-system one-top-level overwrite overwrite-dir owner owner-map pax-option portability posix preserve-order preserve-permissions quote-chars quoting-style
read-full-records record-size recursion recursive-unlink remove-files restrict rmt-command rsh-command same-order same-owner same-permissions seek selinux
show-defaults show-omitted-dirs show-snapshot-field-ranges show-stored-names show-transformed-names skip-old-files sort sparse sparse-version starting-file
strip-components suffix tape-length test-label to-command to-stdout totals touch transform uncompress ungzip unlink-first unquote update usage use-compress-program
utc verbatim-files-from verbose verify version volno-file warning wildcards wildcards-match-slash xattrs xattrs-exclude xattrs-include xform xz zstd`,
	"taskset":     "+ all-tasks cpu-list help pid version",
	"tee":         "append help ignore-interrupts output-error version",
	"timedatectl": "adjust-system-clock all help host machine monitor no-ask-password no-pager property value version",
	"timeout":     "+ foreground help kill-after preserve-status signal verbose version",
	"touch":       "date help no-create no-dereference reference time version",
	"truncate":    "help io-blocks no-create reference size version",
	"umount":      "all all-targets detach-loop fake force help internal-only lazy namespace no-canonicalize no-mtab quiet read-only recursive test-opts types verbose version",
	"uniq":        "all-repeated check-chars count group help ignore-case repeated skip-chars skip-fields unique version zero-terminated",
	"unshare": `+ boottime cgroup fork help ipc keep-caps kill-child map-auto map-current-user map-group map-groups map-root-user map-user map-users monotonic mount mount-proc net
pid propagation root setgid setgroups setuid time user uts version wd`,
	"useradd": `add-subids-for-system badname base-dir btrfs-subvolume-home comment create-home defaults expiredate gid groups help home-dir inactive key no-create-home no-log-init
no-user-group non-unique password prefix root selinux-user shell skel system uid user-group`,
	"userdel": "force help prefix remove root selinux-user",
	"usermod": `add-subgids add-subuids append badname comment del-subgids del-subuids expiredate gid groups help home inactive lock login move-home non-unique password prefix
remove root selinux-user shell uid unlock`,
	"visudo": "check file help no-includes quiet strict version",
	"watch":  "+ beep chgexit color differences equexit errexit exec help interval no-title no-wrap precise version",
	"wget": `accept accept-regex adjust-extension append-output ask-password auth-no-challenge background backup-converted backups base bind-address body-data body-file
ca-certificate ca-directory certificate certificate-type ciphers compression config connect-timeout content-disposition content-on-error continue convert-file-only
convert-links crl-file cut-dirs debug default-page delete-after directory-prefix dns-timeout domains exclude-directories exclude-domains execute follow-ftp
follow-tags force-directories force-html ftp-password ftp-user ftps-clear-data-connection ftps-fallback-to-ftp ftps-implicit ftps-resume-ssl header help hsts-file
http-password http-user https-only ignore-case ignore-length ignore-tags include-directories inet4-only inet6-only input-file keep-session-cookies level limit-rate
load-cookies local-encoding max-redirect method mirror no-cache no-check-certificate no-clobber no-config no-cookies no-directories no-dns-cache no-glob
no-host-directories no-hsts no-http-keep-alive no-if-modified-since no-iri no-netrc no-parent no-passive-ftp no-proxy no-remove-listing no-use-server-timestamps
no-verbose no-warc-compression no-warc-digests no-warc-keep-log output-document output-file page-requisites password pinnedpubkey post-data post-file prefer-family
preserve-permissions private-key private-key-type progress protocol-directories proxy-password proxy-user quiet quota random-wait read-timeout recursive referer
regex-type reject reject-regex rejected-log relative remote-encoding report-speed restrict-file-names retr-symlinks retry-connrefused retry-on-http-error
save-cookies save-headers secure-protocol server-response show-progress span-hosts spider start-pos strict-comments timeout timestamping tries trust-server-names
unlink use-askpass use-server-timestamps user user-agent verbose version wait waitretry warc-cdx warc-dedup warc-file warc-header warc-max-size warc-tempdir xattr`,
	"wipefs": "all backup force help json lock no-act noheadings offset output parsable quiet types version",
	"xargs": `+ arg-file delimiter eof exit help interactive max-args max-chars max-lines max-procs no-run-if-empty null open-tty process-slot-var replace show-limits verbose
version`,
	"xz": "compress decompress extreme force help keep list long-help quiet stdout test threads verbose version",
}
