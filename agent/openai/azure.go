package openai

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/openai/openai-go/v3/azure"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"

	"github.com/assay-qa/assay/agent"
)

// currentVersion is Azure's API without a date, which has its own path. The
// newest tools are there alone.
const currentVersion = "v1"

// NewAzure is [New] for a deployment of Azure: BaseURL is the endpoint of the
// resource, Model the deployment's name. An empty APIVersion is the API that
// has no date. The key goes over plain HTTP to this machine only.
func NewAzure(c agent.Connection) (*Model, error) {
	switch {
	case c.Model == "":
		return nil, errors.New("azure: no deployment is named: set agent.model")
	case c.BaseURL == "":
		return nil, errors.New("azure: the endpoint of the resource is not known: set AZURE_OPENAI_ENDPOINT, or agent.base_url")
	case c.Key == "":
		return nil, errors.New("azure: there is no key: set AZURE_OPENAI_API_KEY")
	}
	endpoint, err := resource(c.BaseURL)
	if err != nil {
		return nil, err
	}
	version, options := c.APIVersion, common(c)
	if version == "" {
		version = currentVersion
	}
	options = append(options, azure.WithEndpoint(endpoint.String(), version), azure.WithAPIKey(c.Key))
	if endpoint.Scheme == "http" {
		options = append(options, azure.WithUnsafeAllowHTTP())
	}
	if version == currentVersion || version == "preview" {
		options = append(options, option.WithMiddleware(currentPath))
	}
	return &Model{provider: "azure", connection: c, options: options, requireAll: true}, nil
}

// resource is the address of the resource itself: people also copy that of the
// API below it.
func resource(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(address, "/"), "/v1"), "/openai"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("azure: the endpoint %q is no address: use that of the resource, such as https://NAME.openai.azure.com", address)
	}
	if ip := net.ParseIP(u.Hostname()); u.Scheme == "http" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("azure: the endpoint %q would send the key unencrypted: use https", address)
	}
	return u, nil
}

// currentPath moves a request from the path of the dated API, which the azure
// package gives it, to that of the one without.
func currentPath(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	if head, tail, found := strings.Cut(r.URL.Path, "/openai/"); found && !strings.HasPrefix(tail, "v1/") {
		r.URL.Path, r.URL.RawPath = head+"/openai/v1/"+tail, ""
	}
	return next(r)
}

// CheckAzure is [Check] for a deployment of Azure. Only a turn tells that a
// deployment is there, and takes what is asked of it, so it asks for one, of 16
// tokens: the fewest there are.
func CheckAzure(ctx context.Context, c agent.Connection) error {
	m, err := NewAzure(c)
	if err != nil {
		return err
	}
	params, err := m.request(agent.Conversation{Task: "Say OK."})
	if err != nil {
		return err
	}
	params.MaxOutputTokens = param.NewOpt(int64(16))
	body, err := m.post(ctx, params)
	if err != nil {
		return err
	}
	return m.readable(body, "output")
}
