package redact_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sallyport/redact"
)

// A bundle or a document in one line of 200 KiB keeps its text: what is secret in it is
// masked, and nothing else.
func TestOneLongLineKeepsItsText(t *testing.T) {
	for name, m := range minified {
		t.Run(name, func(t *testing.T) {
			text, secrets := m.line(200 << 10)
			got, _ := redact.New(redact.Config{}).Text(text)
			for _, secret := range secrets {
				if strings.Contains(got.String(), secret) {
					t.Errorf("%s is still there", secret)
				}
			}
			for _, kept := range strings.Split(text, m.between) {
				if !hasAny(kept, secrets) && !strings.Contains(got.String(), kept) {
					t.Fatalf("lost %.200q", kept)
				}
			}
			part, _ := m.line(25 << 10)
			few, all := fastest(part), fastest(text)
			if all > 8*linearFactor*few {
				t.Errorf("%v for 200 KiB, %v for an eighth", all, few)
			}
		})
	}
}

// minified are lines that are made of a few pieces, N their number, and now and then of
// one that holds a secret.
type oneLine struct {
	head, tail, between string
	pieces, secret      []string
}

var minified = map[string]oneLine{
	"JSON": {
		head: `{"items":[`, tail: `]}`, between: `},{`,
		pieces: []string{
			`"id":N,"name":"user N","token_type":"bearer","expires_in":3600,"scope":["read","write"],"url":"https://api.example.test/v1/users/N?page=2&sort=name"`,
			`"id":N,"password_policy":{"min":12},"max_tokens":4096,"author":"bob","etag":"W/\"N\"","description":"reset your password in the settings, the key is on the board"`,
			`"id":N,"auth":null,"session_timeout":1800,"secret":false,"pin_required":true,"key":"item-N","cookie_consent":"all","code":"E-N"`,
			`"id":N,"command":"curl -s https://h.example.test/N","args":["-p","N"],"email":"bob@example.test","md5":"ok"`,
		},
		secret: []string{`"id":N,"password":"SECRET","name":"db"`, `"id":N,"dsn":"postgres://app:SECRET@db.example.test/x"`, `"id":N,"api_key":"SECRET"`},
	},
	"JavaScript": {
		head: `!function(e){"use strict";`, tail: `}(window);`, between: `;`,
		pieces: []string{
			`function aN(e,t){return e.password===t.password&&e.token!==null}`,
			`var bN=function(e){this.secret=e.secret,this.auth=e.auth||null}`,
			`const cN={token:t.token,session:n.session,key:"kN",pass:!1}`,
			`if(e.passwordN){r.setRequestHeader("Authorization","Bearer "+e.token)}`,
			`dN.prototype.login=function(u,p){return this.post("/login",{user:u,password:p})}`,
			`for(var eN=0,tokenN=0,codeN=fN(token),hN=null`,
		},
		secret: []string{`var kN={apiKey:"SECRET",env:"prod"}`, `zN.connect({user:"app",password:"SECRET"})`},
	},
}

// line gives a line of about so many bytes, and the secrets in it.
func (m oneLine) line(size int) (text string, secrets []string) {
	var b strings.Builder
	b.WriteString(m.head + m.between)
	for n := 0; b.Len() < size; n++ {
		piece := m.pieces[n%len(m.pieces)]
		if n%50 == 49 {
			secret := fmt.Sprintf("Wq7%dzLm4Xv%dRt", n*7919, n*104729%9973)
			secrets = append(secrets, secret)
			piece = strings.ReplaceAll(m.secret[n/50%len(m.secret)], "SECRET", secret)
		}
		b.WriteString(strings.ReplaceAll(piece, "N", fmt.Sprint(n)) + m.between)
	}
	return b.String() + m.tail, secrets
}

func hasAny(s string, of []string) bool {
	for _, x := range of {
		if strings.Contains(s, x) {
			return true
		}
	}
	return false
}

// fastest is the least of some times that one text takes.
func fastest(text string) time.Duration {
	least := time.Hour
	for range 5 {
		start := time.Now()
		redact.New(redact.Config{}).Text(text)
		least = min(least, time.Since(start))
	}
	return least
}
