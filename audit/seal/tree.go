package seal

import (
	"crypto/sha256"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

// Hash is a SHA-256.
type Hash = tlog.Hash

// Line is the hash by which the next line names this one: SHA-256 of the
// bytes without their newline.
func Line(line []byte) Hash { return sha256.Sum256(line) }

// Leaf is the line's leaf hash in the tree (RFC 6962, 2.1): SHA-256 of 0x00
// and the bytes without their newline.
func Leaf(line []byte) Hash {
	if len(line) >= short {
		return tlog.RecordHash(line)
	}
	var buf [short]byte // on the stack: most lines are short, and there are many
	return sha256.Sum256(append(buf[:1], line...))
}

// short lines are hashed in one go.
const short = 2048

// Tree is the right edge of a Merkle tree: enough to append to it and to
// tell its root. It is a value; a copy is a snapshot.
type Tree struct {
	size uint64
	edge [64]Hash // edge[i] is the full subtree of 1<<i leaves, where size has bit i
}

// Size is the number of leaves.
func (t *Tree) Size() uint64 { return t.size }

// Add appends a leaf.
func (t *Tree) Add(leaf Hash) {
	level := 0
	for n := t.size; n&1 == 1; n >>= 1 {
		leaf = node(t.edge[level], leaf)
		level++
	}
	t.edge[level] = leaf
	t.size++
}

// node is tlog.NodeHash, which allocates.
func node(left, right Hash) Hash {
	var buf [1 + 2*sha256.Size]byte
	buf[0] = 1
	copy(buf[1:], left[:])
	copy(buf[1+sha256.Size:], right[:])
	return sha256.Sum256(buf[:])
}

// Root is the tree's root; that of the empty tree is the SHA-256 of nothing.
func (t *Tree) Root() Hash {
	if t.size == 0 {
		return sha256.Sum256(nil)
	}
	level := bits.TrailingZeros64(t.size)
	root := t.edge[level]
	for level++; t.size>>level > 0; level++ {
		if t.size>>level&1 == 1 {
			root = node(t.edge[level], root)
		}
	}
	return root
}

// Chain is the state of a log after some lines.
type Chain struct {
	Prev Hash // of the last line; zero before the first
	Tree Tree
}

// Add goes on by one line, without its newline, and gives its leaf hash.
func (c *Chain) Add(line []byte) Hash {
	leaf := Leaf(line)
	c.Prev = Line(line)
	c.Tree.Add(leaf)
	return leaf
}
