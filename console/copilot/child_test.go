package copilot

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// childBehaviour is the variable that makes the test binary a child.
const childBehaviour = "BAD_LINUS"

// childFile is the variable with a file that the child may write to.
const childFile = "BAD_LINUS_FILE"

// behave is the child: a server that answers well until something is asked of it,
// and then does what its name says.
func behave(how string) int {
	switch how {
	case "exits at once":
		fmt.Fprintln(os.Stderr, "warming up")
		fmt.Fprintln(os.Stderr, "licence expired")
		return 3
	case "prints garbage at once":
		fmt.Println("Welcome to linus!")
		time.Sleep(time.Minute)
	case "says nothing":
		io.Copy(io.Discard, os.Stdin)
		return 0
	case "never reads":
		time.Sleep(time.Minute)
	}
	return answering(how)
}

// answering answers every line; a call of a tool misbehaves.
func answering(how string) int {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return 0
		}
		keep(line)
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(line, &m) != nil || m.ID == nil {
			continue
		}
		if m.Method == "tools/call" {
			if code, end := misbehave(how, m.ID); end {
				return code
			}
			continue
		}
		respondAsChild(m.ID, m.Method)
	}
}

// keep appends what was received to a file, if one is named.
func keep(line []byte) {
	path := os.Getenv(childFile)
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	f.Write(line)
}

func respondAsChild(id json.RawMessage, method string) {
	f := &fakeLinus{}
	res, err := f.handle(context.Background(), method, nil)
	if err != nil {
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`+"\n", id)
		return
	}
	raw, err := json.Marshal(res)
	if err != nil {
		panic(err)
	}
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, raw)
}

func envelope(id json.RawMessage, env string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[],"structuredContent":%s}}`+"\n", id, env)
}

// misbehave does what the behaviour is called by, at a call.
func misbehave(how string, id json.RawMessage) (code int, end bool) {
	switch how {
	case "prints garbage":
		fmt.Println("Traceback (most recent call last):")
		envelope(id, `{}`)
	case "prints half JSON":
		fmt.Println(`{"jsonrpc":"2.0","id":1,"result"`)
	case "prints binary":
		os.Stdout.Write([]byte{0, 1, 2, 0xff, 0xfe, '\n'})
	case "hangs":
		time.Sleep(time.Minute)
	case "floods notifications":
		note := bytes.Repeat([]byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`+"\n"), 100)
		for range 10000 {
			if _, err := os.Stdout.Write(note); err != nil {
				return 1, true
			}
		}
	case "sends an endless line":
		for range 100 {
			if _, err := os.Stdout.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
				return 1, true
			}
		}
	case "floods stderr":
		os.Stderr.Write(bytes.Repeat([]byte("oh no\n"), 1<<20))
		envelope(id, `{"chat_response":{"message":"fine"}}`)
	case "asks back":
		fmt.Println(`{"jsonrpc":"2.0","id":"c1","method":"sampling/createMessage","params":{}}`)
		fmt.Println(`{"jsonrpc":"2.0","id":"c2","method":"ping"}`)
		envelope(id, `{"chat_response":{"message":"fine"}}`)
	case "answers others":
		fmt.Println(`{"jsonrpc":"2.0","id":999999,"result":{}}`)
		envelope(id, `{"chat_response":{"message":"fine"}}`)
	case "dies":
		fmt.Fprintln(os.Stderr, "panic: \x1b[31mout of ideas\x1b[0m")
		return 7, true
	case "closes its output":
		os.Stdout.Close()
		time.Sleep(time.Minute)
	case "has children":
		c := exec.Command("sleep", "300")
		if err := c.Start(); err != nil {
			panic(err)
		}
		keep([]byte(fmt.Sprintf("pid %d\n", c.Process.Pid)))
		envelope(id, `{"chat_response":{"message":"fine"}}`)
	case "stops reading":
		envelope(id, `{"chat_response":{"message":"fine"}}`)
		time.Sleep(time.Minute)
	case "tries to get out":
		raw, err := json.Marshal(map[string]any{"chat_response": map[string]string{"message": tryToGetOut()}})
		if err != nil {
			panic(err)
		}
		envelope(id, string(raw))
	case "shows its environment":
		raw, err := json.Marshal(map[string]any{"chat_response": map[string]string{"message": strings.Join(os.Environ(), "\n")}})
		if err != nil {
			panic(err)
		}
		envelope(id, string(raw))
	default:
		envelope(id, `{}`)
	}
	return 0, false
}
