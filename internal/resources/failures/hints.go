// This file has the advice for errors that are the same for all instances.

package failures

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// generalHint returns the advice for errors that are the same for all operations.
func generalHint(err error) (attribute, hint string) {
	if Is[*enms.ComputationError](err) {
		return "", "Correct these criteria, or delete the pools, and apply again."
	}
	if status, ok := errors.AsType[*enms.StatusError](err); ok && statusHints[status.Status] != "" {
		if status.Method == http.MethodDelete && enms.InternalServerError(err) {
			return "", deletionHint
		}
		return "", statusHints[status.Status]
	}
	if hint := addressHint(err); hint != "" {
		return "", hint
	}
	for _, known := range hints {
		if known.is(err) {
			return known.attribute, known.hint
		}
	}
	return "", ""
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

// statusHints are the advice for answers, by their status.
var statusHints = map[int]string{
	http.StatusNotFound:            "There is no REST interface of eNMS at this address. Set base_url to the address without /rest, for example https://enms.example.com. The provider needs eNMS 4.2 or newer.",
	http.StatusTooManyRequests:     "A gateway limits the request rate: apply again later, increase max_retries, or ask for a higher limit.",
	http.StatusInternalServerError: "eNMS returns no reason. Common causes: the name belongs to an instance of another type, or to one that this user may not read or edit; or the database refuses a value. See the log of eNMS.",
}

// deletionHint is the advice for a deletion that eNMS answers with 500.
const deletionHint = "eNMS returns no reason. Common causes: for a task, the scheduler of eNMS does not run; on SQLite, other requests lock the database, and applying again is enough; eNMS before 4.0 responds like this to every deletion, and the provider needs 4.2 or newer. See the log of eNMS."

// hints are the advice for errors that are the same for all instances.
var hints = []struct {
	is        func(error) bool
	hint      string
	attribute string
}{
	{is: isA(enms.ErrUnauthorized), hint: "Check username and password in the provider block, or ENMS_USERNAME and ENMS_PASSWORD."},
	{is: isA(enms.ErrForbidden), hint: "Ask an administrator of eNMS for the right to this instance and to the REST endpoint, or use another user."},
	{is: isA(context.Canceled), hint: "The run was interrupted; apply again."},
	{is: isA(context.DeadlineExceeded), hint: "eNMS did not respond in time. Increase request_timeout."},
	{is: Is[*enms.RedirectError], hint: "Set base_url to the address of eNMS without /rest, for example https://enms.example.com."},
	{is: Is[*tls.CertificateVerificationError], hint: "If eNMS uses a certificate of your own CA, set ca_cert_pem or ca_cert_file to the certificate of the CA."},
	{is: tlsAlert, hint: "The server aborted the TLS handshake. If it requires a client certificate, set client_cert_pem and client_key_pem."},
	{is: Is[*enms.UnreachableError], hint: "Check base_url, that eNMS runs, and that this machine can reach it."},
	{is: htmlServerError, hint: "If /rest/is_alive responds, eNMS itself failed to check the password: the installed version of Werkzeug does not fit, or the user's password is damaged in the database. See the log of eNMS."},
	{is: Is[*enms.NotJSONError], hint: "Check that base_url is the address of eNMS; a proxy or a login page may have responded instead."},
	{is: Is[*enms.AmbiguousError], hint: "Apply again: the next plan checks whether it exists."},
	{is: Is[*enms.AnswerError], hint: "Check that base_url is the address of eNMS; another server may have responded instead."},
	{is: Is[*enms.RenamedError], hint: "It exists under that name now. Use that name for the resource, or another scoped_name."},
	{is: Is[*enms.IgnoredRenameError], attribute: kind.RowName, hint: "This eNMS is older than 4.2 and cannot rename. Update eNMS, or keep the name. The other changes of this update were made."},
	{is: Is[*UnknownField], hint: AbsentFieldHint},
	{is: Is[*Replaced], hint: NothingChanged + " Plan again to see the new instance."},
	{is: Is[*enms.MaybeHiddenError], hint: "It stays in the state. Use an administrator, a user with the right rbac_read to it, or one in a group with force_read_access that may also read what is older than the group. If it was deleted, run terraform state rm with its address."},
	{is: Is[*AmbiguousContent], hint: "After a restore of eNMS, ids belong to other objects. If the first one is the instance, renamed by somebody, give it its old name in eNMS. If it is not, the instance is gone: create one with that name in eNMS. Then apply again."},
	{is: Is[Gone], hint: NothingChanged + " Plan again to create it."},
	{is: Is[UnknownID], hint: "It was not deleted. Plan again without -refresh=false; or, if it is not this resource's, run terraform state rm with the address of the resource."},
}

// htmlServerError reports whether the response was a 500 in HTML: eNMS failed before its REST
// interface was reached (enms-rest.md 7).
func htmlServerError(err error) bool {
	page, ok := errors.AsType[*enms.NotJSONError](err)
	return ok && page.Status == http.StatusInternalServerError
}

// tlsAlert reports whether the server sent a TLS alert, which crypto/tls shows by the Op of
// the error.
func tlsAlert(err error) bool {
	network, ok := errors.AsType[*net.OpError](err)
	return ok && network.Op == "remote error"
}

func isA(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}
