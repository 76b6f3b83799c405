// This file makes salted digests.

package exportmerge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Digest returns a salted digest of values.
func Digest(salt string, values ...any) string {
	document, _ := json.Marshal(append([]any{salt}, values...)) // strings, files, and what eNMS has sent as JSON: no error
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:10])
}

// digester makes the digests of a record.
type digester struct {
	salt     string
	secret   func(path, text string) bool
	noRecord bool // there is no record: what is more than values and references counts as written by people
}

// What takes the place of a digest: secretDigest for a value that may be a secret, and expressionDigest for
// an expression that people have written, if there is no record.
const (
	secretDigest     = "secret"
	expressionDigest = "people's"
)

func (d digester) isSecret(path, text string) bool { return d.secret != nil && d.secret(path, text) }

// digestOf returns the digest of a text at a path in a block or a row, and "" for no text.
func (d digester) digestOf(path, text string) string {
	switch {
	case text == "":
		return ""
	case d.isSecret(path, text):
		return secretDigest
	}
	return Digest(d.salt, path, text)
}
