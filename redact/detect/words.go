package detect

import "strings"

// A key is judged by its words, and above all by the last one: db_password holds a
// password, password_file does not.

// keyClass says what a key's value is likely to be.
type keyClass uint8

const (
	keyNone     keyClass = iota // not a secret
	keyIdent                    // a secret if the value is a UUID: elsewhere it is a name
	keyWeak                     // a secret if the value looks like one
	keyToken                    // a secret unless the value is a word or a reference
	keyPassword                 // a secret, words too
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var (
	passwordWords = set(`password passwd passphrase passcode passwort pwd pass pw psk pin otp totp puk
		passkey authtok userpassword userpasswd storepass keypass requirepass masterauth wpapsk
		dbpass rootpw bindpw dbpw rootpass mypass sudopass ipmipass contrasena motdepasse mdp
		mnemonic seedphrase regcode passw adminpass userpass smbpass mysqlpass pgpass dbpwd
		kennwort sshpass passwords passphrases passcodes wachtwoord senha haslo`)

	tokenWords = set(`secret token apikey jwt credential credentials creds cred cookie authtoken
		accesstoken secretkey accesskey privatekey authkey clientsecret apitoken bearer webhook
		apisecret appsecret sharedsecret sessiontoken refreshtoken idtoken licensekey appkey
		sharedkey masterkey signingkey encryptionkey xauthtoken presharedkey privkey secretstring
		connectionstring passwordhash sessionid jsessionid phpsessid regtoken jointoken bottoken
		usertoken secretaccesskey authcode authenticator certkey unsealkey roottoken sas sig sastoken
		accountkey storagekey consumersecret tokensecret serverkey usersecret seed community
		csrftoken xsrftoken deploykey integrationkey encryptkey accessid`)

	weakWords = set(`auth session sid sess sk tok hmac oauth oauth2 sso verifier dsn apikeys licence license
		authorization pks wallet login salt`)

	// words before "key" or "keys" that make it a secret, or surely not one
	keyMakers = set(`api access secret private signing encryption encrypt master account shared storage
		auth service unseal recovery license licence client app application consumer subscription
		deploy admin webhook hmac aes crypto server integration preshared psk rsa ssl tls decryption
		decrypt session user bot project root instance agent ingest write data personal root
		developer production sandbox live backup sender join cipher bearer token wg wireguard
		security sas primary_account cluster functions function host_key device provisioning
		search management read unlock ssh setup validation network enrollment enrolment activation provision
		security wpa wifi gossip certificate sealing`)
	keyBreakers = set(`public pub foreign sort partition cache hot registry object bucket
		index unique column group map dedup idempotency natural translation message ref default
		arrow enter escape shift control alt meta tab return any press each every next last first
		composite candidate surrogate row range hash ordering order lookup compare config
		configuration setting settings property i18n locale label annotation tag dict dictionary
		json yaml xml field attribute param parameter header query argument env variable host known
		name metric metrics`)

	// a key that ends in one of these names something about a secret, not the secret
	aboutWords = set(`file files filename path paths dir directory folder name names url urls uri endpoint
		id ids type types policy policies length len min max minimum maximum size sizes count counts
		limit limits ttl timeout expiry expires expiration expire expired expiring days hours minutes
		seconds age lifetime duration version versions format algorithm alg method methods mode modes
		enabled disabled enable disable required prompt prompts field fields label hint reset change
		changed changes update updated at date time times status state ref refs reference accessor
		bucket buckets rotation rotate provider providers manager store stores backend helper issuer
		audience scope scopes class kind usage used address host port user username users email
		source digest fingerprint strength complexity history attempts attempt failures failure
		retries retry options option opts index regex pattern selector env variable variables
		template keyring agent sock socket arn group groups service services server servers bits
		alias aliases num number per column columns table command cmd program exec script text
		message msg error errors errno validator validation valid invalid generator generated
		generation manager handler handlers helper helpers rules rule config configuration settings
		setting location bytes checker checks check cache caching list lists map set sets lookup
		mapping schema spec model view form page button input placeholder visible hidden show shown
		on off only ok function func callback factory builder parser reader writer stream pool
		interval refresh_interval frequency rate rates weight length threshold window level entropy
		lock locked unlock unlocked lockout warn warning warning_period grace encryption
		encoding cipher hashing hash_method protected protection management review owner kms
		directive event keyword keywords letter letters char chars character characters supplier
		dn cn bind realm domain domains region zone account tenant subject san feature features
		support supported unsupported exists present absent missing needed allowed denied allow deny
		hash cert certs ca crt csr chain sum checksum sums digest limit_per key_ref verification required_for hits misses evictions up down press pressed
		auth_type elements element item items`)

	// words that say nothing about the value: the word before decides
	neutralWords = set(`base base64 b64 hex data value val string str plain raw prod production dev
		development staging stage test live new old current confirm confirmation repeat again retype
		verify env var local main master primary secondary default tmp temp temporary b32 pem der
		plaintext cleartext clear text encoded content contents this your my the is my_ v1 v2 v3
		qa uat demo`)

	// words that look like a secret's key and are none
	// a token of these is where a list goes on
	pageWords = set(`sequence request page next prev previous continuation cursor pagination`)

	harmlessWords = set(`nopasswd compass bypass passport passwordless password-less
		authority author authors authored tokenizer
		passthrough passive passenger keyboard keymap keyword keystone monkey turkey hotkey keyring
		keyserver keynote hockey jockey whiskey donkey keypad keyspace
		syncookies signal signals signed signs significant
		unpin pinned pinning tokenize tokenized secretary opinion spin`)

	harmlessKeys = set(`pin-sha256 x-amz-credential x-goog-credential sec-websocket-key xauthority ssh_auth_sock gpg_agent_info auth_basic tcp_syncookies pip_no_input`)
)

// splitWords breaks a key at everything that is not a letter or digit and where the
// case changes, in lower case. It keeps the last eight words.
func splitWords(key string, buf []string) []string {
	buf = buf[:0]
	start := -1
	flush := func(end int) {
		if start >= 0 && end > start {
			if len(buf) == 8 {
				copy(buf, buf[1:])
				buf = buf[:7]
			}
			buf = append(buf, strings.ToLower(key[start:end]))
		}
		start = -1
	}
	for i := 0; i < len(key); i++ {
		c := key[i]
		switch {
		case !isAlnum(c):
			flush(i)
		case start < 0:
			start = i
		case isUpper(c) && (!isUpper(key[i-1]) || i+1 < len(key) && isLower(key[i+1])):
			flush(i)
			start = i
		}
	}
	flush(len(key))
	return buf
}

// keyCache remembers how keys were judged: a log has few of them, many times.
type keyCache [64]struct {
	key   string
	class keyClass
}

const maxCached = 32 // bytes of a key

// classify judges a key, or remembers how it was judged.
func (s *Scanner) classify(key string) keyClass {
	if len(key) < 2 || len(key) > maxCached {
		return classify(key)
	}
	c := &s.keys[(len(key)+7*int(key[0])+3*int(key[len(key)-1])+5*int(key[len(key)/2]))%len(s.keys)]
	if c.key != key {
		c.key, c.class = strings.Clone(key), classify(key)
	}
	return c.class
}

// classify judges a key.
func classify(key string) keyClass {
	if len(key) < 2 || harmlessKeys[strings.ToLower(key)] || harmlessWords[strings.ToLower(key)] {
		return keyNone
	}
	switch key {
	case "PWD", "OLDPWD": // directories
		return keyNone
	}
	var room [8]string
	return classifyWords(splitWords(key, room[:0]))
}

func classifyWords(w []string) keyClass {
	if n := len(w); n > 1 && (w[n-2] == "keys" || w[n-2] == "shares") && (w[n-1] == "base64" || w[n-1] == "b64" || w[n-1] == "hex") {
		return keyToken
	}
	w = trimNeutral(w)
	if len(w) == 0 {
		return keyNone
	}
	last := w[len(w)-1]
	if trimmed := strings.TrimRight(last, "0123456789"); trimmed != last && (isSecretWord(trimmed) || trimmed == "key") {
		last = trimmed
	}
	if harmlessWords[last] {
		return keyNone
	}
	if c := lastWord(w, last); c != keyNone {
		return c
	}
	if aboutWords[last] {
		if last == "id" && len(w) >= 3 && w[len(w)-2] == "key" && w[len(w)-3] == "access" {
			return keyWeak
		}
		return keyNone
	}
	return earlierWord(w[:len(w)-1])
}

func trimNeutral(w []string) []string {
	for len(w) > 1 && neutralWords[w[len(w)-1]] && mentionsSecret(w[:len(w)-1]) {
		w = w[:len(w)-1]
	}
	for len(w) > 1 && isDigits(w[len(w)-1]) {
		w = w[:len(w)-1]
	}
	return w
}

func mentionsSecret(w []string) bool {
	for _, x := range w {
		if isSecretWord(x) || x == "key" || x == "keys" {
			return true
		}
	}
	return false
}

func lastWord(w []string, last string) keyClass {
	prev := ""
	if len(w) > 1 {
		prev = w[len(w)-2]
	}
	if w[0] == "public" || w[0] == "pub" || prev == "public" || prev == "pub" || last == "pubkey" || last == "publickey" {
		if last == "token" && prev != "key" {
			return keyWeak
		}
		return keyNone
	}
	switch {
	case last == "token" && pageWords[prev]:
		return keyNone
	case last == "hash" && (prev == "password" || prev == "passwd" || prev == "pass" || prev == "pw"):
		return keyWeak
	case last == "material" && prev == "key", last == "response" && prev == "saml", last == "rocommunity", last == "rwcommunity":
		return keyToken
	case len(last) > 5 && strings.HasSuffix(last, "key") && keyMakers[last[:len(last)-3]]:
		return keyToken // securitykey
	case last == "code" && codeMakers[prev]:
		return keyToken
	case last == "keys" && !keyMakers[prev]:
		return keyNone
	case last == "key" || last == "keys":
		return keyOfKey(prev)
	case last == "pass" && prev == "by", last == "secrets" && prev == "pull":
		return keyNone
	case passwordWords[last], passwordEnding(last):
		return keyPassword
	case last == "id" && prev == "session":
		return keyWeak
	case last == "id" && prev == "secret", last == "secretid":
		return keyIdent
	case last == "type" || last == "count":
		return keyNone
	case tokenWords[last], tokenEnding(last):
		if last == "seed" || last == "community" || last == "webhook" || last == "sig" || last == "sas" {
			return keyWeak
		}
		return keyToken
	case weakWords[last]:
		return keyWeak
	}
	return keyNone
}

func keyOfKey(prev string) keyClass {
	switch {
	case prev == "" || keyBreakers[prev]:
		return keyNone
	case keyMakers[prev]:
		return keyToken
	}
	return keyWeak
}

// earlierWord judges TOKEN_GITHUB or password.postgres, whose last word is a name.
func earlierWord(w []string) keyClass {
	for _, x := range w {
		if passwordWords[x] || tokenWords[x] || passwordEnding(x) || tokenEnding(x) {
			return keyWeak
		}
	}
	return keyNone
}

func isSecretWord(x string) bool {
	return passwordWords[x] || tokenWords[x] || passwordEnding(x) || tokenEnding(x)
}

func passwordEnding(x string) bool {
	if len(x) > 5 && len(x) < 12 && strings.HasSuffix(x, "pass") {
		return !passEndings[x]
	}
	if len(x) > 2 && len(x) < 9 && (strings.HasSuffix(x, "pw") || strings.HasSuffix(x, "psk")) {
		return true // MYPW
	}
	return len(x) > 8 && (strings.HasSuffix(x, "password") || strings.HasSuffix(x, "passphrase")) && x != "nopassword" ||
		len(x) > 6 && strings.HasSuffix(x, "passwd") && x != "nopasswd" && x != "htpasswd" && x != "chpasswd" && x != "gpasswd" && x != "vncpasswd"
}

// passEndings are words that end like a key and are none.
var passEndings = set(`bypass compass trespass surpass underpass overpass encompass outpass passpass allpass lowpass
	highpass bandpass firstpass twopass onepass`)

func tokenEnding(x string) bool {
	return len(x) > 5 && strings.HasSuffix(x, "token") || len(x) > 6 && strings.HasSuffix(x, "secret") ||
		len(x) > 6 && strings.HasSuffix(x, "apikey") || len(x) > 9 && strings.HasSuffix(x, "secretkey")
}

// kindOfKey names what a key holds, for the placeholder.
func kindOfKey(key string) string {
	k := strings.ToLower(key)
	for _, p := range [...]struct{ part, kind string }{
		{"passphrase", "passphrase"},
		{"private", "private-key"},
		{"access_key", "access-key"},
		{"accesskey", "access-key"},
		{"pass", "password"},
		{"pwd", "password"},
		{"pw", "password"},
		{"psk", "psk"},
		{"token", "token"},
		{"jwt", "token"},
		{"cookie", "cookie"},
		{"sess", "session"},
		{"otp", "otp"},
		{"pin", "pin"},
		{"cred", "credential"},
		{"auth", "credential"},
		{"secret", "secret"},
		{"key", "key"},
	} {
		if strings.Contains(k, p.part) {
			return p.kind
		}
	}
	return "secret"
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool { return isUpper(c) || isLower(c) }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }
func isSpace(c byte) bool { return c == ' ' || c == '\t' }
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}
