package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// cosignature is a note.Verifier of witnesses (C2SP tlog-cosignature, Ed25519, type 0x04).
type cosignature struct {
	name string
	key  []byte
}

func newCosignature(vkey string) (note.Verifier, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) != 3 {
		return nil, fmt.Errorf("no verifier key: %s", vkey)
	}
	key, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(key) != 1+ed25519.PublicKeySize || key[0] != 0x04 {
		return nil, fmt.Errorf("no key of a witness: %s", vkey)
	}
	return cosignature{parts[0], key}, nil
}

func (c cosignature) Name() string { return c.name }
func (c cosignature) KeyHash() uint32 {
	sum := sha256.Sum256(append([]byte(c.name+"\n"), c.key...))
	return binary.BigEndian.Uint32(sum[:])
}
func (c cosignature) Verify(msg, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(sig), msg)
	return ed25519.Verify(c.key[1:], []byte(signed), sig[8:])
}
