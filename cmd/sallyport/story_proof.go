package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sallyport/audit/seal"
	"sallyport/audit/verify"
)

// prove verifies the log, then a copy in which one byte was changed.
func (s *story) prove() error {
	s.step("The log verifies; one byte of a copy is changed and it does not")
	copyDir := filepath.Join(s.dir, "copy")
	if err := changeOneByte(s.auditDir, copyDir); err != nil {
		return err
	}
	changed, err := s.verdict(copyDir)
	if err != nil {
		return err
	}
	if changed.Good() {
		return errors.New("the changed copy verifies")
	}
	s.say("the changed copy: %s, %s", changed.Word(), changed.Detail)
	kept, err := s.verdict(s.auditDir)
	if err != nil {
		return err
	}
	if !kept.Good() {
		return failWith(exitVerify, fmt.Errorf("the log does not verify: %v", kept), "")
	}
	s.say("the log: %d records, anchored by the host key %s", kept.Records, kept.HostKey)
	fmt.Fprintf(s.out, "\nlog: %s\naudit verify: %s\n", s.auditDir, kept.Word())
	return nil
}

// verdict is the one on the newest log of a folder.
func (s *story) verdict(dir string) (verify.Result, error) {
	_, pub, err := seal.ParseVerifier(s.hostKey.Verifier())
	if err != nil {
		return verify.Result{}, err
	}
	results, err := verify.Dirs(verify.Options{Trust: pub}, dir)
	if err != nil {
		return verify.Result{}, err
	}
	if len(results) == 0 {
		return verify.Result{}, fmt.Errorf("%s holds no log", dir)
	}
	return results[len(results)-1], nil
}

// changeOneByte copies the logs of a folder and changes the exit code that one
// record holds.
func changeOneByte(from, to string) error {
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	names, err := filepath.Glob(filepath.Join(from, "*.jsonl"))
	if err != nil {
		return err
	}
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			return err
		}
		if at := bytes.Index(b, []byte(`"exit_code":0`)); at >= 0 {
			b[at+len(`"exit_code":`)] = '1'
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(n)), b, 0o600); err != nil {
			return err
		}
	}
	return nil
}
