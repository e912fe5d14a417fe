package command

import "strings"

// A spec says which options of a program take a value in a word of their
// own. Programs that are not listed are read without: a value then counts as
// an operand too, which can only make an answer stricter.
type spec struct {
	short string   // letters that take a value
	long  []string // names that take a value
	whole bool     // options are whole words (find -name, java -jar): no clusters
	exact bool     // long names are not abbreviated

	signals bool // -HUP is one option

	names string // all long names, see longNames
	bare  bool   // nothing but them is known
}

// SSHArguments are the options of ssh that take a value: ssh(1), OpenSSH 9.4
// and later.
const SSHArguments = "BbcDEeFIiJLlmOoPpQRSWw"

// specs by program, or "program subcommand". Sources: each program's manual
// page or --help.
var specs = map[string]spec{
	"sudo":              {short: "ugpCTrthDRUa", long: []string{"user", "group", "prompt", "close-from", "command-timeout", "role", "type", "host", "chdir", "chroot", "other-user"}},
	"doas":              {short: "uCa"},
	"su":                {short: "cgGsw", long: []string{"command", "group", "supp-group", "shell", "whitelist-environment", "session-command"}},
	"runuser":           {short: "cgGsuw", long: []string{"command", "group", "supp-group", "shell", "user", "session-command"}},
	"pkexec":            {long: []string{"user"}},
	"env":               {short: "uCSP", long: []string{"unset", "chdir", "split-string"}},
	"nice":              {short: "n", long: []string{"adjustment"}},
	"ionice":            {short: "cnpPu", long: []string{"class", "classdata", "pid", "pgid", "uid"}},
	"timeout":           {short: "sk", long: []string{"signal", "kill-after"}},
	"stdbuf":            {short: "ioe", long: []string{"input", "output", "error"}},
	"taskset":           {short: "p"},
	"chrt":              {short: "TPD", long: []string{"sched-runtime", "sched-period", "sched-deadline"}},
	"numactl":           {short: "iImpPNCl", long: []string{"interleave", "preferred", "physcpubind", "cpunodebind", "membind"}},
	"xargs":             {short: "aEILnPsdJRS", long: []string{"arg-file", "eof", "max-lines", "max-args", "max-procs", "max-chars", "delimiter", "process-slot-var"}},
	"time":              {short: "fo", long: []string{"format", "output"}},
	"strace":            {short: "abeEIopPsSuUX", long: []string{"output", "attach", "user", "env", "trace", "string-limit"}},
	"ltrace":            {short: "aAbDeFlnopsuwx"},
	"watch":             {short: "nq", long: []string{"interval", "equexit"}},
	"flock":             {short: "cEw", long: []string{"command", "conflict-exit-code", "timeout", "wait"}},
	"chroot":            {long: []string{"userspec", "groups"}},
	"unshare":           {short: "SGRw", long: []string{"root", "wd", "setuid", "setgid", "map-user", "map-group", "propagation"}},
	"nsenter":           {short: "tSGw", long: []string{"target", "setuid", "setgid"}},
	"systemd-run":       {short: "HMpuE", long: []string{"unit", "property", "description", "slice", "uid", "gid", "nice", "working-directory", "setenv", "on-active", "on-boot", "on-startup", "on-unit-active", "on-unit-inactive", "on-calendar", "timer-property", "path-property", "socket-property", "host", "machine", "service-type"}},
	"ssh":               {short: SSHArguments},
	"scp":               {short: "cDFiJloPSX"},
	"sftp":              {short: "BbcDFiJloPRSsX"},
	"rsync":             {short: "eBTfM", long: []string{"rsh", "rsync-path", "exclude", "include", "filter", "exclude-from", "include-from", "files-from", "log-file", "password-file", "temp-dir", "backup-dir", "suffix", "chmod", "chown", "port", "bwlimit", "timeout", "compare-dest", "copy-dest", "link-dest", "partial-dir", "max-size", "min-size", "out-format"}},
	"tar":               {short: "fCTXbIHKLNVgF", long: []string{"file", "directory", "files-from", "exclude", "exclude-from", "use-compress-program", "to-command", "checkpoint-action", "transform", "xform", "owner", "group", "mode", "rsh-command", "rmt-command", "info-script", "new-volume-script"}},
	"curl":              {short: "AbcCdDeEFhHKmoPQrtTuUwxXyYz", long: []string{"user-agent", "cookie", "cookie-jar", "continue-at", "data", "data-raw", "data-binary", "data-urlencode", "data-ascii", "json", "dump-header", "referer", "cert", "form", "form-string", "header", "config", "max-time", "connect-timeout", "output", "output-dir", "range", "upload-file", "user", "proxy-user", "write-out", "proxy", "request", "url", "cacert", "capath", "key", "resolve", "connect-to", "interface", "retry", "retry-delay", "engine", "limit-rate", "unix-socket", "netrc-file", "oauth2-bearer", "trace", "trace-ascii", "stderr"}},
	"wget":              {short: "aABDeiIoOPQRtTUwXl", long: []string{"output-document", "output-file", "append-output", "input-file", "directory-prefix", "post-data", "post-file", "body-data", "body-file", "method", "header", "user", "password", "execute", "user-agent", "use-askpass", "tries", "timeout", "config", "ca-certificate"}},
	"git":               {short: "Cc", long: []string{"git-dir", "work-tree", "namespace", "exec-path", "config-env", "super-prefix", "attr-source"}},
	"git commit":        {short: "mFCctS", long: []string{"message", "file", "author", "date", "template", "cleanup", "fixup", "squash", "reuse-message", "reedit-message", "trailer"}},
	"git checkout":      {short: "bB", long: []string{"conflict", "orphan", "pathspec-from-file"}},
	"git switch":        {short: "cC", long: []string{"create", "force-create", "orphan", "conflict"}},
	"git push":          {short: "o", long: []string{"push-option", "repo", "receive-pack", "exec", "recurse-submodules"}},
	"git log":           {short: "nSGL", long: []string{"grep", "author", "since", "until", "after", "before", "format", "pretty"}},
	"git clone":         {short: "bocuj", long: []string{"branch", "origin", "config", "upload-pack", "depth", "reference", "template", "separate-git-dir", "jobs"}},
	"git clean":         {short: "e", long: []string{"exclude"}},
	"git branch":        {short: "u", long: []string{"set-upstream-to", "contains", "no-contains", "merged", "no-merged", "points-at", "sort", "format"}},
	"git worktree":      {short: "bB", long: []string{"reason"}},
	"git stash":         {short: "m", long: []string{"message"}},
	"git tag":           {short: "mFu", long: []string{"message", "file", "local-user"}},
	"kubectl":           {short: "nfolcLpsk", long: []string{"namespace", "context", "cluster", "user", "kubeconfig", "filename", "output", "selector", "container", "server", "token", "as", "as-group", "kustomize", "field-selector", "grace-period", "timeout", "replicas", "image", "port", "type", "patch", "sort-by", "template", "since", "tail", "request-timeout", "from-literal", "from-file", "overrides", "restart", "env", "labels", "subresource", "field-manager", "clusterrole", "role", "serviceaccount", "verb", "resource", "group", "to-revision", "revision", "pod-selector", "cache-dir", "certificate-authority", "client-certificate", "client-key", "v"}, exact: true},
	"helm":              {short: "nfo", long: []string{"namespace", "kube-context", "kubeconfig", "values", "set", "set-string", "set-file", "set-json", "output", "version", "repo", "timeout", "description", "username", "password", "post-renderer", "registry-config", "repository-config"}, exact: true},
	"docker":            {short: "Hcl", long: []string{"host", "context", "config", "log-level", "name", "env", "env-file", "volume", "mount", "publish", "user", "workdir", "network", "net", "entrypoint", "hostname", "memory", "cpus", "label", "restart", "filter", "format", "file", "tag", "build-arg", "target", "platform", "cap-add", "cap-drop", "security-opt", "device", "pid", "ipc", "uts", "userns", "add-host", "dns", "ulimit", "shm-size", "log-driver", "log-opt", "tmpfs", "volumes-from", "runtime", "gpus", "ip", "link", "expose", "tail", "since", "until", "signal", "time", "output", "project-name", "profile", "project-directory", "username", "password", "message", "author", "change", "detach-keys", "stop-timeout", "scale"}, exact: true},
	"docker exec":       {short: "euw", long: []string{"env", "env-file", "user", "workdir", "detach-keys"}, exact: true},
	"docker run":        {short: "aceuvpwhlm", long: []string{"name", "env", "env-file", "volume", "mount", "publish", "user", "workdir", "network", "net", "entrypoint", "hostname", "memory", "cpus", "label", "restart", "platform", "cap-add", "cap-drop", "security-opt", "device", "pid", "ipc", "uts", "userns", "add-host", "dns", "ulimit", "shm-size", "log-driver", "log-opt", "tmpfs", "volumes-from", "runtime", "gpus", "ip", "link", "expose", "detach-keys", "stop-timeout", "stop-signal", "cidfile", "pull", "cgroupns", "group-add", "health-cmd", "mac-address", "memory-swap", "network-alias", "cpu-shares", "cpuset-cpus", "isolation"}, exact: true},
	"docker build":      {short: "tfmco", long: []string{"tag", "file", "build-arg", "target", "platform", "output", "network", "label", "cache-from", "cache-to", "secret", "ssh"}, exact: true},
	"docker stop":       {short: "ts", long: []string{"time", "timeout", "signal"}, exact: true},
	"docker kill":       {short: "s", long: []string{"signal"}, exact: true},
	"docker logs":       {short: "n", long: []string{"tail", "since", "until"}, exact: true},
	"docker save":       {short: "o", long: []string{"output"}, exact: true},
	"docker login":      {short: "up", long: []string{"username", "password"}, exact: true},
	"kubectl logs":      {short: "nlcs", long: []string{"namespace", "container", "selector", "since", "tail", "context"}, exact: true},
	"docker rm":         {exact: true},
	"docker rmi":        {exact: true},
	"docker compose":    {short: "fp", long: []string{"file", "project-name", "profile", "env-file", "project-directory", "ansi", "progress", "parallel"}, exact: true},
	"docker-compose":    {short: "fp", long: []string{"file", "project-name", "profile", "env-file", "project-directory"}, exact: true},
	"aws":               {long: []string{"profile", "region", "output", "endpoint-url", "query", "ca-bundle", "cli-read-timeout", "cli-connect-timeout", "color"}},
	"gcloud":            {long: []string{"project", "account", "configuration", "format", "filter", "verbosity", "impersonate-service-account", "billing-project", "region", "zone", "location", "quiet-x"}, exact: true},
	"az":                {short: "og", long: []string{"output", "query", "subscription", "resource-group"}, exact: true},
	"gsutil":            {short: "ohu"},
	"gh":                {short: "RXfFHq", long: []string{"repo", "method", "field", "raw-field", "header", "jq", "template", "input", "hostname"}, exact: true},
	"terraform":         {long: []string{"chdir"}, whole: true},
	"tofu":              {long: []string{"chdir"}, whole: true},
	"terragrunt":        {whole: true},
	"vault":             {long: []string{"namespace", "ns", "address", "agent-address", "ca-cert", "header", "format", "field", "mount", "path", "type", "ttl", "policy", "method", "token", "wrap-ttl", "version", "versions"}, whole: true},
	"nomad":             {long: []string{"address", "region", "namespace", "token", "ca-cert", "deadline", "m", "t"}, whole: true},
	"consul":            {long: []string{"http-addr", "token", "datacenter", "namespace", "ca-file", "id", "accessor-id", "service", "name"}, whole: true},
	"find":              {whole: true},
	"cmdlet":            {whole: true},
	"lynx":              {long: []string{"width"}, whole: true},
	"w3m":               {long: []string{"cols", "T", "I", "O"}, whole: true},
	"csplit":            {short: "bfn", long: []string{"suffix-format", "prefix", "digits"}},
	"m4":                {short: "DUIFBLHSEdWl", long: []string{"define", "undefine", "include", "freeze-state", "reload-state", "debugfile", "warn-macro-sequence"}},
	"cpio":              {short: "CHMRFEIODW", long: []string{"block-size", "format", "message", "owner", "file", "pattern-file", "directory", "io-size", "rsh-command"}},
	"java":              {whole: true},
	"openssl":           {whole: true},
	"systemctl":         {short: "HMtpPnos", long: []string{"host", "machine", "type", "state", "property", "signal", "kill-whom", "kill-who", "job-mode", "lines", "output", "root", "preset-mode", "when", "image-policy", "what", "message"}},
	"journalctl":        {short: "nubptDSUkgoMF", long: []string{"lines", "unit", "user-unit", "boot", "since", "until", "output", "priority", "identifier", "directory", "file", "root", "grep", "vacuum-size", "vacuum-time", "vacuum-files", "machine", "field"}},
	"service":           {},
	"mysql":             {short: "hPuDeS", long: []string{"host", "port", "user", "database", "execute", "socket", "default-auth", "plugin-dir", "defaults-file", "defaults-extra-file", "protocol", "init-command", "prompt", "pager", "tee", "delimiter", "default-character-set"}},
	"mariadb":           {short: "hPuDeS", long: []string{"host", "port", "user", "database", "execute", "socket", "default-auth", "plugin-dir"}},
	"mysqladmin":        {short: "hPuS", long: []string{"host", "port", "user", "socket"}},
	"mysqldump":         {short: "hPuSrw", long: []string{"host", "port", "user", "socket", "result-file", "where", "ignore-table"}},
	"psql":              {short: "hpUdcfvoPFLRT", long: []string{"host", "port", "username", "dbname", "command", "file", "set", "variable", "output", "pset", "field-separator", "log-file", "record-separator", "table-attr"}},
	"pg_dump":           {short: "hpUdfFnNtTEjSZ", long: []string{"host", "port", "username", "dbname", "file", "format", "schema", "table", "jobs"}},
	"pg_restore":        {short: "hpUdfFnNtTjSLIP", long: []string{"host", "port", "username", "dbname", "file", "format", "schema", "table", "jobs"}},
	"dropdb":            {short: "hpU", long: []string{"host", "port", "username", "maintenance-db"}},
	"createdb":          {short: "hpUOTElD"},
	"sqlite3":           {whole: true},
	"influx":            {long: []string{"execute", "database", "host", "port", "username", "password", "format", "precision"}, whole: true},
	"entr":              {short: "s"},
	"bsub":              {short: "qnJoeiWRMPwLmux", whole: false},
	"qemu-img":          {short: "fOoSTtBblFm", long: []string{"object", "image-opts", "size"}},
	"qemu-img snapshot": {short: "acd"},
	"qsub":              {short: "bqlNoePpSvWAtM"},
	"redis-cli":         {short: "hpsaunrixX", long: []string{"user", "pass", "uri", "tls", "cacert", "cert", "key", "pattern", "pipe-timeout", "eval", "cluster"}, exact: true},
	"mongosh":           {short: "upf", long: []string{"host", "port", "username", "password", "authenticationDatabase", "eval", "file"}},
	"mongo":             {short: "up", long: []string{"host", "port", "username", "password", "authenticationDatabase", "eval"}},
	"clickhouse-client": {short: "hudqf", long: []string{"host", "port", "user", "password", "database", "query", "queries-file", "format"}},
	"cqlsh":             {short: "ufkep", long: []string{"username", "password", "keyspace", "file", "execute", "cqlversion"}},
	"etcdctl":           {long: []string{"endpoints", "cacert", "cert", "key", "user", "password", "dial-timeout", "command-timeout", "write-out"}},
	"grep":              {short: "efmABCdD", long: []string{"regexp", "file", "max-count", "after-context", "before-context", "context", "include", "exclude", "exclude-dir", "exclude-from", "label", "binary-files"}},
	"ag":                {short: "ABCGmp", long: []string{"pager", "ignore", "depth"}},
	"ack":               {short: "ABCm", long: []string{"pager", "output", "type"}},
	"bat":               {short: "lHrm", long: []string{"pager", "language", "theme", "style", "line-range", "highlight-line"}},
	"batcat":            {short: "lHrm", long: []string{"pager", "language", "theme", "style", "line-range", "highlight-line"}},
	"delta":             {long: []string{"pager", "features", "width"}},
	"multitail":         {short: "lLRi"},
	"rg":                {short: "efgtTmABCrMjd", long: []string{"regexp", "file", "glob", "iglob", "type", "type-not", "max-count", "after-context", "before-context", "context", "replace", "pre", "pre-glob", "hostname-bin", "max-depth", "threads", "sort", "ignore-file"}},
	"sed":               {short: "efEl", long: []string{"expression", "file", "line-length"}},
	"awk":               {short: "Fvfie", long: []string{"field-separator", "assign", "file", "include", "source"}},
	"head":              {short: "nc", long: []string{"lines", "bytes"}},
	"tail":              {short: "ncs", long: []string{"lines", "bytes", "pid", "sleep-interval"}},
	"sort":              {short: "kotTS", long: []string{"key", "output", "field-separator", "temporary-directory", "buffer-size", "compress-program", "files0-from"}},
	"cut":               {short: "dfbc", long: []string{"delimiter", "fields", "bytes", "characters", "output-delimiter"}},
	"chmod":             {long: []string{"reference"}},
	"chown":             {long: []string{"reference", "from"}},
	"cp":                {short: "tS", long: []string{"target-directory", "suffix"}},
	"mv":                {short: "tS", long: []string{"target-directory", "suffix"}},
	"ln":                {short: "tS", long: []string{"target-directory", "suffix"}},
	"install":           {short: "gmotS", long: []string{"group", "mode", "owner", "target-directory", "suffix"}},
	"touch":             {short: "drt", long: []string{"date", "reference", "time"}},
	"mkdir":             {short: "m", long: []string{"mode"}},
	"truncate":          {short: "sr", long: []string{"size", "reference"}},
	"split":             {short: "abClnt", long: []string{"suffix-length", "bytes", "line-bytes", "lines", "number", "filter", "additional-suffix", "separator"}},
	"shred":             {short: "ns", long: []string{"iterations", "size", "random-source"}},
	"dd":                {},
	"xxd":               {short: "cglnosR", long: []string{"cols", "groupsize", "len", "name", "offset", "seek"}},
	"sar":               {short: "fiIjmnoPqse", long: []string{"dev", "fs", "iface", "int", "dec"}},
	"base64":            {short: "wio", long: []string{"wrap", "output", "input"}},
	"ip":                {short: "nNbf", long: []string{"netns", "batch", "family"}, whole: true},
	"iptables":          {short: "tAIDPNXEFZLSCRspdiojmg", long: []string{"table", "append", "insert", "delete", "policy", "source", "destination", "protocol", "in-interface", "out-interface", "jump", "goto", "match", "dport", "sport", "dports", "sports"}},
	"ip6tables":         {short: "tAIDPNXEFZLSCRspdiojmg", long: []string{"table", "source", "destination", "protocol", "jump", "match", "dport", "sport"}},
	"crontab":           {short: "u"},
	"kill":              {short: "sn", long: []string{"signal"}, signals: true},
	"pkill":             {short: "uUGgPstF", long: []string{"signal", "euid", "uid", "group", "parent", "session", "terminal", "pidfile"}, signals: true},
	"killall":           {short: "suoy", long: []string{"signal", "user"}, signals: true},
	"useradd":           {short: "bcdefgGkKpRsuZP", long: []string{"base-dir", "comment", "home-dir", "expiredate", "inactive", "gid", "groups", "skel", "key", "password", "root", "shell", "uid"}},
	"usermod":           {short: "acdefgGlpRsuvVwWZ", long: []string{"comment", "home", "expiredate", "inactive", "gid", "groups", "login", "password", "root", "shell", "uid"}},
	"script":            {short: "cImoBEOTt", long: []string{"command", "log-in", "log-out", "log-io", "log-timing", "output-limit", "echo"}},
	"screen":            {short: "ceghmpRsStTX"},
	"tmux":              {short: "cfLS"},
	"vim":               {short: "cSstTuUwWiV"},
	"vi":                {short: "cSstTuUwWi"},
	"man":               {short: "CRLmMSspPer", long: []string{"config-file", "recode", "locale", "systems", "manpath", "sections", "pager", "preprocessor", "prompt", "extension", "browser"}},
	"gdb":               {whole: true},
	"make":              {short: "CfIoWj", long: []string{"directory", "file", "makefile", "include-dir", "jobs", "eval", "old-file", "what-if"}},
	"ansible":           {short: "aeifmMtuTBPlc", long: []string{"args", "module-name", "inventory", "user", "extra-vars", "limit", "forks", "become-user", "connection", "private-key", "module-path", "tree", "timeout"}},
	"ansible-playbook":  {short: "eiftuTlc", long: []string{"inventory", "extra-vars", "limit", "tags", "skip-tags", "user", "connection", "private-key", "become-user", "start-at-task", "vault-password-file"}},
	"nmap":              {short: "peDSgoiT", long: []string{"script", "script-args", "exclude", "excludefile", "datadir"}},
	"tcpdump":           {short: "BcCDEFGimMrsTVwWyzZ", long: []string{"interface"}},
	"nc":                {short: "eIiMmOPpqsTVwXxckg", long: []string{"exec", "sh-exec", "lua-exec", "source", "source-port", "idle-timeout", "wait"}},
	"apt":               {short: "otc", long: []string{"option", "target-release", "config-file"}},
	"apt-get":           {short: "otc", long: []string{"option", "target-release", "config-file"}},
	"dpkg":              {},
	"yum":               {short: "cdexR", long: []string{"config", "installroot", "enablerepo", "disablerepo", "exclude", "releasever", "setopt"}},
	"dnf":               {short: "cdexR", long: []string{"config", "installroot", "enablerepo", "disablerepo", "exclude", "releasever", "setopt", "repo"}},
	"pip":               {short: "rceitd", long: []string{"requirement", "constraint", "editable", "index-url", "extra-index-url", "target", "dest", "python", "prefix", "root", "editor", "find-links", "trusted-host", "proxy"}},
	"npm":               {short: "wCg-", long: []string{"prefix", "registry", "workspace", "tag"}},
	"velero":            {short: "nlo", long: []string{"namespace", "selector", "output", "kubeconfig", "kubecontext", "name", "from-backup", "ttl", "storage-location"}, exact: true},
	"restic":            {short: "rpoH", long: []string{"repo", "password-file", "host", "tag", "path", "keep-last", "keep-daily", "keep-weekly", "keep-monthly", "keep-yearly", "keep-within", "target", "cache-dir", "option", "mode", "max-unused"}},
	"rclone":            {long: []string{"config", "transfers", "checkers", "log-file", "log-level", "include", "exclude", "filter", "bwlimit", "max-age", "min-age"}},
	"borg":              {short: "aPCe", long: []string{"glob-archives", "prefix", "keep-last", "keep-daily", "keep-weekly", "keep-monthly", "exclude", "compression", "remote-path", "rsh"}},
	"kafka-topics":      {long: []string{"bootstrap-server", "zookeeper", "topic", "partitions", "replication-factor", "config", "command-config"}},
	"rabbitmqctl":       {short: "npt", long: []string{"node", "vhost", "timeout"}},
	"rabbitmqadmin":     {short: "HPuVpcNf", long: []string{"host", "port", "username", "password", "vhost", "config", "node", "format"}},
}

// aliasesOf share a spec.
var aliasesOf = map[string]string{
	"podman": "docker", "nerdctl": "docker", "gawk": "awk", "mawk": "awk", "nawk": "awk", "egrep": "grep", "fgrep": "grep",
	"zgrep": "grep", "nvim": "vim", "view": "vim", "rvim": "vim", "ncat": "nc", "netcat": "nc", "oc": "kubectl", "k": "kubectl", "k3s": "kubectl", "kubecolor": "kubectl",
	"gsed": "sed", "gtar": "tar", "bsdtar": "tar", "gfind": "find", "pip3": "pip", "slogin": "ssh", "autossh": "ssh",
	"microdnf": "dnf", "sudoedit": "sudo", "cargo-nextest": "cargo", "ggrep": "grep", "gxargs": "xargs",
	"podman-compose": "docker-compose", "kafka-topics.sh": "kafka-topics", "valkey-cli": "redis-cli", "keydb-cli": "redis-cli",
}

// specOf gives the options of a program.
func specOf(program string) (spec, bool) {
	if a, ok := aliasesOf[program]; ok {
		program = a
	}
	s, ok := specs[program]
	return s, ok && !s.bare
}

func (s *spec) longTakesValue(name string) bool {
	for _, l := range s.long {
		if l == name {
			return true
		}
	}
	return false
}

// An Option is one option of a command: a letter or a long name.
type Option struct {
	Name     string
	Value    Word
	HasValue bool   // Value is attached with = or to the letter, or is the next word of one that takes it
	At       int    // index of its word in Args
	Alt      bool   // the whole cluster once more, read as one long name
	Written  string // the beginning of Name that was written, where it is not all of it
}

// typed is the name as it was written.
func (o *Option) typed() string {
	if o.Written != "" {
		return o.Written
	}
	return o.Name
}

// Named reports that this is the option called name. Unless exactly is asked
// for, a beginning of the name will do.
func (o *Option) Named(name string, exactly bool) bool {
	t := o.typed()
	switch {
	case name == t, name == o.Name && !exactly:
		return true
	}
	return !exactly && len(t) > 1 && len(name) > len(t) && strings.HasPrefix(name, t)
}

// Options are the options and operands of a command, as its program reads
// them.
type Options struct {
	List     []Option
	Operands []Word
	Exact    bool // long names are not abbreviated
	Whole    bool // options are whole words
	Guessed  int  // options that may have taken the next word
}

// readOptions reads args as program's options and operands.
func readOptions(program string, args []Word) Options {
	args = dashed(program, args)
	sub, at := "", 0
	s, listed := specOf(program)
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if t == "--" && program == "git" {
			continue
		}
		if strings.HasPrefix(t, "-") {
			if s.takesNext(t) {
				i++
			}
			continue
		}
		sub, at = t, i
		break
	}
	better, ok := spec{}, false
	if sub != "" {
		better, ok = subSpec(program, sub)
	}
	if !ok {
		better = s
	}
	if sub == "" || !ok && program != "git" {
		at = len(args)
	}
	return s.read(args, listed || ok, &better, at)
}

// dashed gives tar's old style, "tar xzf", the dash that it leaves out.
func dashed(program string, args []Word) []Word {
	if program != "tar" && program != "gtar" && program != "bsdtar" && program != "jar" || len(args) == 0 {
		return args
	}
	t := args[0].Text
	if t == "" || t[0] == '-' || !letters(t) {
		return args
	}
	out := append([]Word{args[0]}, args[1:]...)
	out[0].Text = "-" + t
	return out
}

// subSpec is the spec of a subcommand, if it has one of its own.
func subSpec(program, sub string) (spec, bool) {
	if a, ok := aliasesOf[program]; ok {
		program = a
	}
	s, ok := specs[program+" "+sub]
	return s, ok
}

func (s *spec) takesNext(t string) bool {
	if strings.HasPrefix(t, "--") {
		return !strings.Contains(t, "=") && s.longTakesValue(s.wholeName(t[2:]))
	}
	if s.whole {
		return s.longTakesValue(t[1:])
	}
	for i := 1; i < len(t); i++ {
		if strings.IndexByte(s.short, t[i]) >= 0 {
			return i == len(t)-1
		}
	}
	return false
}

// readAs reads args as one known set of options.
func readAs(program string, args []Word) Options {
	s := specs[program]
	return s.read(args, true, &s, len(args))
}

// read reads args; from word sub on, another spec holds.
func (s *spec) read(args []Word, listed bool, after *spec, sub int) Options {
	o := Options{Exact: s.exact, Whole: s.whole, Operands: make([]Word, 0, len(args)), List: make([]Option, 0, len(args))}
	if after.long != nil {
		both := *after
		both.long = append(after.long[:len(after.long):len(after.long)], s.long...)
		after = &both
	}
	for i := 0; i < len(args); i++ {
		if i == sub {
			s = after
		}
		a := args[i]
		t := a.Text
		switch {
		case t == "--" && a.Known && sub < len(args) && i < sub:
			continue // before the subcommand it ends nothing
		case t == "--" && a.Known:
			o.Operands = append(o.Operands, args[i+1:]...)
			return o
		case len(t) < 2 || t[0] != '-':
			o.Operands = append(o.Operands, a)
		case s.signals && signalName(t):
			o.List = append(o.List, Option{Name: t[1:], At: i})
		case strings.HasPrefix(t, "--"):
			i += s.readLong(&o, args, i, t[2:], listed)
		case s.whole:
			i += s.readLong(&o, args, i, t[1:], listed)
		default:
			i += s.readCluster(&o, args, i, listed)
		}
	}
	return o
}

// readLong reads --name, --name=value, --name value; it gives the number of
// further words it took.
func (s *spec) readLong(o *Options, args []Word, i int, name string, listed bool) int {
	opt := Option{Name: name, At: i}
	if n, v, ok := strings.Cut(name, "="); ok {
		w := args[i]
		w.Text = v
		opt.Name, opt.Value, opt.HasValue = n, w, true
	}
	if found := s.spelled(opt.Name); len(found) > 0 {
		return s.readBegun(o, args, opt, found)
	}
	if opt.HasValue {
		o.List = append(o.List, opt)
		return 0
	}
	if s.longTakesValue(name) && i+1 < len(args) {
		opt.Value, opt.HasValue = args[i+1], true
		o.List = append(o.List, opt)
		return 1
	}
	if i+1 < len(args) {
		opt.Value = args[i+1] // perhaps
		if !listed {
			o.Guessed++
		}
	}
	o.List = append(o.List, opt)
	return 0
}

// readBegun reads a name that was cut short. Where it is not sure which option
// it is, the next word counts as its value and as an operand.
func (s *spec) readBegun(o *Options, args []Word, opt Option, names []string) int {
	written, i, attached := opt.Name, opt.At, opt.HasValue
	sure := len(names) == 1 && s.names != ""
	for _, name := range names {
		opt.Name, opt.Written = name, written
		if !attached && i+1 < len(args) {
			opt.Value, opt.HasValue = args[i+1], s.longTakesValue(name)
		}
		o.List = append(o.List, opt)
	}
	if attached || i+1 >= len(args) {
		return 0
	}
	if sure && s.longTakesValue(names[0]) {
		return 1
	}
	if !sure {
		o.Guessed++
	}
	return 0
}

func (s *spec) readCluster(o *Options, args []Word, i int, listed bool) int {
	t := args[i].Text
	for j := 1; j < len(t); j++ {
		opt := Option{Name: t[j : j+1], At: i}
		if strings.IndexByte(s.short, t[j]) >= 0 {
			return s.shortValue(o, args, i, j, opt)
		}
		w := args[i]
		w.Text = strings.TrimPrefix(t[j+1:], "=")
		if w.Text == "" && i+1 < len(args) {
			w = args[i+1]
		}
		opt.Value = w // perhaps
		o.List = append(o.List, opt)
	}
	if len(t) > 2 {
		o.List = append(o.List, Option{Name: t[1:], At: i, Alt: true}) // -name, as some programs write it
	}
	if !listed {
		o.Guessed++
	}
	return 0
}

func (s *spec) shortValue(o *Options, args []Word, i, j int, opt Option) int {
	t := args[i].Text
	if j+1 < len(t) {
		w := args[i]
		w.Text = strings.TrimPrefix(t[j+1:], "=")
		opt.Value, opt.HasValue = w, true
		o.List = append(o.List, opt)
		return 0
	}
	if i+1 < len(args) {
		opt.Value, opt.HasValue = args[i+1], true
		o.List = append(o.List, opt)
		return 1
	}
	o.List = append(o.List, opt)
	return 0
}

// value gives the values of the options with one of these names.
func (o *Options) values(names ...string) []Word {
	var out []Word
	for i := range o.List {
		for _, n := range names {
			if (o.List[i].Name == n || o.List[i].Written == n) && o.List[i].HasValue {
				out = append(out, o.List[i].Value)
			}
		}
	}
	return out
}

// has reports an option by any of its names.
func (o *Options) has(names ...string) bool {
	for i := range o.List {
		for _, n := range names {
			if o.List[i].Name == n || o.List[i].Written == n {
				return true
			}
		}
	}
	return false
}

// signalName reports -HUP and -SIGKILL.
func signalName(t string) bool {
	if len(t) < 4 {
		return false
	}
	for _, c := range t[1:] {
		if (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return t[1] > '9'
}
