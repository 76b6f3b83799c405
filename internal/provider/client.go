// This file makes the client of eNMS from the settings.

package provider

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// words returns what the tables of the kinds say about the lines of eNMS.
var words = sync.OnceValue(func() object.Words { return kind.Words(kinds.All()) })

// client returns a client with the settings, or nil and an error. version is the version of the provider.
func (s *settings) client(version string, diags *diag.Diagnostics) *enms.Client {
	s.config.UserAgent = "terraform-provider-enms/" + version
	s.config.Logger = func(ctx context.Context, message string, fields map[string]any) { tflog.Debug(ctx, message, fields) }
	var err error
	if s.config.TLS, err = s.tls(); err != nil {
		at := "client_key_pem" // which is missing, or does not match
		if s.clientCert == nil {
			at = "client_cert_pem"
		}
		diags.AddAttributeError(path.Root(at), "Invalid client certificate", checks.Sentence(err.Error()))
		return nil
	}
	client, err := enms.New(s.config, words())
	if err != nil {
		diags.AddError("Cannot create the eNMS client", checks.Sentence(err.Error()))
		return nil
	}
	return client
}

// unfit says why the client certificate and the client key are no pair.
func (s *settings) unfit() string {
	certificate, _ := pem.Decode(s.clientCert)
	key, _ := pem.Decode(s.clientKey)
	switch {
	case s.clientKey != nil && key == nil:
		return "the client key is not in PEM format, which begins with -----BEGIN. If it is in DER format, convert it with: openssl pkey -inform DER"
	case s.clientCert != nil && certificate == nil:
		return "the client certificate is not in PEM format, which begins with -----BEGIN. If it is in DER format, convert it with: openssl x509 -inform DER"
	case key != nil && (strings.Contains(key.Type, "ENCRYPTED") || key.Headers["DEK-Info"] != ""):
		return "the client key is encrypted, and the provider asks for no passphrase. Decrypt it with: openssl pkey"
	}
	return "the client certificate and the client key do not match: both are required, in PEM format"
}

// tls returns how connections are secured. It returns nil if no setting says anything about that: then the
// defaults of Go and the certificates of the system apply.
func (s *settings) tls() (*tls.Config, error) {
	if s.caCert == nil && s.clientCert == nil && s.clientKey == nil && !s.insecure {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: s.insecure} // #nosec G402 -- asked for, and warned of
	if s.caCert != nil {
		config.RootCAs = x509.NewCertPool()
		config.RootCAs.AppendCertsFromPEM(s.caCert)
	}
	if s.clientCert != nil || s.clientKey != nil {
		pair, err := tls.X509KeyPair(s.clientCert, s.clientKey)
		if err != nil {
			return nil, errors.New(s.unfit())
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}
