// Command main verifies a log with Go's own transparency-log packages: its checkpoint and key, the
// cosignatures of its witnesses, its tiles, and its inclusion and consistency proofs. The argument
// is a folder that contains the log under the paths of C2SP tlog-tiles.
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// seenAt is the time of Go's own cosignature, which the caller expects.
const seenAt = 1_800_000_000

func must(err error, what string) {
	if err != nil {
		fmt.Fprintln(os.Stderr, what+":", err)
		os.Exit(1)
	}
}

func ensure(holds bool, what string) {
	if !holds {
		must(fmt.Errorf("it should be otherwise"), what)
	}
}

func read(path ...string) []byte {
	data, err := os.ReadFile(filepath.Join(path...))
	must(err, "reading")
	return data
}

func hashes(texts []string) []tlog.Hash {
	list := []tlog.Hash{}
	for _, text := range texts {
		hash, err := tlog.ParseHash(text)
		must(err, "a hash")
		list = append(list, hash)
	}
	return list
}

func equal(one, other []tlog.Hash) bool {
	if len(one) != len(other) {
		return false
	}
	for i := range one {
		if one[i] != other[i] {
			return false
		}
	}
	return true
}

// tiles reads tiles of height 8 from the folder; if damaged is set, it flips one bit of each.
type tiles struct {
	folder  string
	damaged bool
}

func (t tiles) Height() int                     { return 8 }
func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}
func (t tiles) ReadTiles(list []tlog.Tile) ([][]byte, error) {
	all := [][]byte{}
	for _, tile := range list {
		data := read(t.folder, strings.Replace(tile.Path(), "tile/8/", "tile/", 1))
		if t.damaged {
			data[len(data)/2] ^= 1
		}
		all = append(all, data)
	}
	return all, nil
}

type proofs struct {
	Inclusion []struct {
		Index int64
		Proof []string
	}
	Consistency []struct {
		First int64
		Root  string
		Proof []string
	}
}

func tree(folder string) tlog.Tree {
	verifier, err := note.NewVerifier(strings.TrimSpace(string(read(folder, "key"))))
	must(err, "the verifier key")
	text := read(folder, "checkpoint")
	opened, err := note.Open(text, note.VerifierList(verifier))
	must(err, "the checkpoint")
	for i := range opened.Text {
		changed := append([]byte{}, text...)
		changed[i] ^= 1
		_, err := note.Open(changed, note.VerifierList(verifier))
		ensure(err != nil, fmt.Sprintf("a checkpoint with another byte %d is believed", i))
	}
	lines := strings.Split(opened.Text, "\n")
	ensure(len(lines) == 4 && lines[0] == verifier.Name(), "the lines of the checkpoint")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err, "the size")
	return tlog.Tree{N: size, Hash: hashes(lines[2:3])[0]}
}

// cosigned checks that Go verifies every cosignature if it has the witnesses' keys, and reports
// them as unverified if it has only the log's. Then it cosigns the checkpoint, for the caller to
// verify.
func cosigned(folder string) int {
	log, err := note.NewVerifier(strings.TrimSpace(string(read(folder, "key"))))
	must(err, "the verifier key")
	all := []note.Verifier{log}
	for _, vkey := range strings.Fields(string(read(folder, "witnesses"))) {
		witness, err := newCosignature(vkey)
		must(err, "the key of a witness")
		all = append(all, witness)
	}
	text := read(folder, "cosigned")
	opened, err := note.Open(text, note.VerifierList(all...))
	must(err, "the cosigned checkpoint")
	ensure(len(opened.Sigs) == len(all) && len(opened.UnverifiedSigs) == 0, "every cosignature verifies")
	alone, err := note.Open(text, note.VerifierList(log))
	must(err, "the cosigned checkpoint, without the keys of its witnesses")
	ensure(len(alone.Sigs) == 1 && len(alone.UnverifiedSigs) == len(all)-1, "the others are reported as unverified")
	for at := 1; at < len(all); at++ {
		changed := []byte(strings.Replace(string(text), opened.Sigs[at].Base64, flipped(opened.Sigs[at].Base64), 1))
		_, err := note.Open(changed, note.VerifierList(all...))
		ensure(err != nil, "a changed cosignature is believed")
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must(err, "a key of Go")
	witness := cosignature{"go.example/witness", append([]byte{0x04}, public...)}
	time := make([]byte, 8)
	binary.BigEndian.PutUint64(time, seenAt)
	signature := ed25519.Sign(private, []byte(fmt.Sprintf("cosignature/v1\ntime %d\n%s", uint64(seenAt), opened.Text)))
	id := binary.BigEndian.AppendUint32(nil, witness.KeyHash())
	line := base64.StdEncoding.EncodeToString(append(append(id, time...), signature...))
	vkey := fmt.Sprintf("%s+%08x+%s", witness.name, witness.KeyHash(), base64.StdEncoding.EncodeToString(witness.key))
	must(os.WriteFile(filepath.Join(folder, "go-witness"), []byte(vkey), 0o644), "writing")
	both := fmt.Sprintf("%s\u2014 %s %s\n", read(folder, "checkpoint"), witness.name, line)
	must(os.WriteFile(filepath.Join(folder, "go-cosigned"), []byte(both), 0o644), "writing")
	return len(all) - 1
}

// flipped changes one bit of a signature.
func flipped(text string) string {
	data, err := base64.StdEncoding.DecodeString(text)
	must(err, "a signature")
	data[len(data)-9] ^= 1
	return base64.StdEncoding.EncodeToString(data)
}

func entry(folder string, i int64, size int64) []byte {
	tile := tlog.Tile{H: 8, L: 0, N: i / 256, W: 256}
	if size-tile.N*256 < 256 {
		tile.W = int(size - tile.N*256)
	}
	bundle := read(folder, strings.Replace(tile.Path(), "tile/8/0/", "tile/entries/", 1))
	at := (i % 256) * 34
	ensure(bundle[at] == 0 && bundle[at+1] == 32, "the length of an entry")
	return bundle[at+2 : at+34]
}

func main() {
	folder := os.Args[1]
	head := tree(folder)
	var made proofs
	must(json.Unmarshal(read(folder, "proofs.json"), &made), "the proofs")
	reader := tlog.TileHashReader(head, tiles{folder, false})
	damaged := tlog.TileHashReader(head, tiles{folder, true})
	for _, included := range made.Inclusion {
		i, proof := included.Index, hashes(included.Proof)
		must(tlog.CheckRecord(proof, head.N, head.Hash, i, tlog.RecordHash(entry(folder, i, head.N))), "an inclusion proof")
		own, err := tlog.ProveRecord(head.N, i, reader)
		must(err, "the tiles")
		ensure(equal(own, proof), "an inclusion proof is the one that Go makes of the tiles")
		if head.N > 1 {
			_, err = tlog.ProveRecord(head.N, i, damaged)
			ensure(err != nil, "damaged tiles are believed")
		}
	}
	for _, earlier := range made.Consistency {
		root := hashes([]string{earlier.Root})[0]
		proof := hashes(earlier.Proof)
		must(tlog.CheckTree(proof, head.N, head.Hash, earlier.First, root), "a consistency proof")
		own, err := tlog.ProveTree(head.N, earlier.First, reader)
		must(err, "the tiles")
		ensure(equal(own, proof), "a consistency proof is the one that Go makes of the tiles")
		if len(proof) > 0 {
			proof[len(proof)-1][7] ^= 1
			ensure(tlog.CheckTree(proof, head.N, head.Hash, earlier.First, root) != nil, "another consistency proof is believed")
		}
	}
	// The reverse direction: the caller verifies this checkpoint, which Go signs.
	skey, vkey, err := note.GenerateKey(rand.Reader, "go.example/log")
	must(err, "a key of Go")
	signer, err := note.NewSigner(skey)
	must(err, "a signer of Go")
	text := fmt.Sprintf("go.example/log\n%d\n%s\n", head.N, base64.StdEncoding.EncodeToString(head.Hash[:]))
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	must(err, "a note of Go")
	must(os.WriteFile(filepath.Join(folder, "go-key"), []byte(vkey), 0o644), "writing")
	must(os.WriteFile(filepath.Join(folder, "go-checkpoint"), signed, 0o644), "writing")
	fmt.Printf("Go believes the checkpoint, %d cosignatures, the tiles, %d inclusion and %d consistency proofs of a tree of %d\n",
		cosigned(folder), len(made.Inclusion), len(made.Consistency), head.N)
}
