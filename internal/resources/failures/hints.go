// This file declares the advice for errors that does not depend on the instance.

package failures

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// generalHint returns the advice for an error that depends neither on the instance nor on the operation, or "".
func generalHint(err error) string {
	if Is[*enms.ComputationError](err) {
		return "Correct these criteria, or delete the pools, and apply again."
	}
	if ofName, ok := errors.AsType[errorOfName](err); ok {
		return ofName.hint()
	}
	if ambiguous, ok := errors.AsType[*enms.AmbiguousError](err); ok {
		return strings.TrimPrefix(generalHint(ambiguous.Unwrap())+" The next plan checks what eNMS has done.", " ")
	}
	if status, ok := errors.AsType[*enms.StatusError](err); ok && statusHints[status.Status] != "" {
		switch {
		case !enms.InternalServerError(err):
		case status.Method == http.MethodDelete:
			return deletionHint
		case status.Method == http.MethodPost && strings.HasPrefix(status.Path, "/rest/instance/"):
			return writeHint
		}
		return statusHints[status.Status]
	}
	if hint := addressHint(err); hint != "" {
		return hint
	}
	for _, known := range hints {
		if known.is(err) {
			return known.hint
		}
	}
	return ""
}

// addressHint returns the advice for a wrong address of eNMS, or "".
func addressHint(err error) string {
	if scheme, ok := errors.AsType[*enms.SchemeError](err); ok {
		return fmt.Sprintf("Write base_url = %q.", scheme.Use)
	}
	unresolved, ok := errors.AsType[*net.DNSError](err)
	if !ok || !unresolved.IsNotFound {
		return ""
	}
	setting := "base_url"
	if through, ok := errors.AsType[*net.OpError](err); ok && through.Op == "proxyconnect" {
		setting = "proxy_url, or in HTTPS_PROXY or HTTP_PROXY"
	}
	return fmt.Sprintf("The host %q cannot be resolved. Check its spelling in %s.", unresolved.Name, setting)
}

// AbsentFieldHint is the advice for a field that eNMS accepts, but does not have.
const AbsentFieldHint = "eNMS ignores unknown fields, so this had no effect. Most likely this version of eNMS is older than the field. Remove the attribute from the configuration, or update eNMS."

// statusHints are the advice for error answers, by their HTTP status.
var statusHints = map[int]string{
	http.StatusNotFound:            "There is no REST interface of eNMS at this address. Set base_url to the address without /rest, for example https://enms.example.com. The provider needs eNMS 4.2 or newer.",
	http.StatusTooManyRequests:     "A gateway limits the request rate: apply again later, increase max_retries, or ask for a higher limit.",
	http.StatusInternalServerError: "eNMS returns no reason. Common causes: its database does not respond, or holds a damaged instance. See the log of eNMS.",
	http.StatusBadGateway:          gatewayHint,
	http.StatusServiceUnavailable:  gatewayHint,
	http.StatusGatewayTimeout:      "A gateway in front of eNMS has not waited for the response. Increase the timeout of the gateway, and apply again.",
}

// gatewayHint is the advice for the answers of a gateway that does not reach eNMS.
const gatewayHint = "A gateway in front of eNMS does not reach it. Check that eNMS runs, and apply again."

// writeHint is the advice for a creation or an update that eNMS answers with 500.
const writeHint = "eNMS returns no reason. Common causes: the name belongs to an instance of another type, or to one that this user cannot read or edit; or the database refuses a value. See the log of eNMS."

// deletionHint is the advice for a deletion that eNMS answers with 500.
const deletionHint = "eNMS returns no reason. Common causes: for a task, the scheduler of eNMS does not run; on SQLite, other requests lock the database, and applying again is enough; eNMS before 4.0 responds like this to every deletion, and the provider needs 4.2 or newer. See the log of eNMS."

// hints are the advice for other errors. The first that matches counts.
var hints = []struct {
	is   func(error) bool
	hint string
}{
	{isA(enms.ErrUnauthorized), "Check username and password in the provider block, or ENMS_USERNAME and ENMS_PASSWORD."},
	{isA(enms.ErrForbidden), "Ask an administrator of eNMS for the right to this instance and to the REST endpoint, or use another user."},
	{isA(context.Canceled), "The run was interrupted; apply again."},
	{enms.TimedOut, "eNMS did not respond in time. Check its load and its log, or increase request_timeout."},
	{redirectsToHTTPS, "Set base_url to that address."},
	{Is[*enms.RedirectError], "Set base_url to the address of eNMS without /rest, for example https://enms.example.com."},
	{Is[*tls.CertificateVerificationError], "If eNMS uses a certificate of your own CA, set ca_cert_pem or ca_cert_file to the certificate of the CA."},
	{tlsAlert, "The server aborted the TLS handshake. If it requires a client certificate, set client_cert_pem and client_key_pem."},
	{Is[*enms.UnreachableError], "Check base_url, that eNMS runs, and that this machine can reach it."},
	{htmlServerError, "If /rest/is_alive responds, eNMS itself failed to check the password: the installed version of Werkzeug does not fit, or the user's password is damaged in the database. See the log of eNMS."},
	{Is[*enms.NotJSONError], "Check that base_url is the address of eNMS; a proxy or a login page may have responded instead."},
	{Is[*enms.AnswerError], "Check that base_url is the address of eNMS; another server may have responded instead."},
	{Is[*enms.RenamedError], "It exists under that name now. Use that name for the resource, or another scoped_name."},
	{Is[*UnknownField], AbsentFieldHint},
	{Is[*Replaced], NothingChanged + " Plan again to see the new instance."},
	{Is[*enms.MaybeHiddenError], "It stays in the state. Use an administrator, a user with the right rbac_read to it, or one in a group with force_read_access that may also read what is older than the group. If it was deleted, run terraform state rm with its address."},
	{Is[*Renamed], NothingChanged + " To keep it, write its new name in the configuration. To destroy it, first accept the new name with terraform apply -refresh-only."},
	{Is[Gone], NothingChanged + " Plan again to create it."},
	{Is[UnknownID], "It was left as it is. Plan again without -refresh=false. If terraform taint or a provisioner has marked enms_instances as tainted, run terraform untaint with its address, and plan with -replace instead. If the instance is not this resource's, run terraform state rm with the address."},
}

// redirectsToHTTPS reports whether the server has only another scheme than base_url.
func redirectsToHTTPS(err error) bool {
	redirect, ok := errors.AsType[*enms.RedirectError](err)
	return ok && redirect.HTTPS != ""
}

// htmlServerError reports whether the response was a 500 that is not JSON: eNMS failed before its REST
// interface was reached (enms-rest.md 7).
func htmlServerError(err error) bool {
	page, ok := errors.AsType[*enms.NotJSONError](err)
	return ok && page.Status == http.StatusInternalServerError
}

// tlsAlert reports whether the server sent a TLS alert.
func tlsAlert(err error) bool {
	network, ok := errors.AsType[*net.OpError](err)
	return ok && network.Op == "remote error"
}

// isA returns a predicate for errors that are target.
func isA(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}
