package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// currentVersion selects Azure's API without a date, which has its own path.
// Only it has the newest tools.
const currentVersion = "v1"

// NewAzure returns a model of an Azure deployment, as [New] does of OpenAI:
// BaseURL is the endpoint of the resource, Model the deployment's name. An
// empty APIVersion selects the API without a date. Plain HTTP is refused but
// for loopback, because of the key.
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
	version, path := cmp.Or(c.APIVersion, currentVersion), "openai/"
	if version == currentVersion || version == "preview" {
		path = "openai/v1/"
	}
	return &Model{
		provider: "azure", connection: c, client: clientOf(c), requireAll: true,
		address: strings.TrimRight(endpoint.String(), "/") + "/" + path,
		query:   "?" + url.Values{"api-version": {version}}.Encode(),
		header:  http.Header{"Api-Key": {c.Key}},
	}, nil
}

// resource returns the address of the resource itself: people also copy that of
// the API below it.
func resource(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(address, "/"), "/v1"), "/openai"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("azure: the endpoint %q is no address: use that of the resource, such as https://NAME.openai.azure.com", address)
	}
	if ip := net.ParseIP(u.Hostname()); u.Scheme == "http" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("azure: the endpoint %q would send the key unencrypted: use https", address)
	}
	u.RawQuery, u.Fragment = "", ""
	return u, nil
}

// CheckAzure checks a deployment of Azure, as [Check] does OpenAI. Only a turn
// shows that a deployment exists and accepts our requests, so it requests one,
// of 16 tokens: the fewest there are.
func CheckAzure(ctx context.Context, c agent.Connection) error {
	m, err := NewAzure(c)
	if err != nil {
		return err
	}
	r, err := m.request(agent.Conversation{Task: "Say OK."})
	if err != nil {
		return err
	}
	r.MaxOutputTokens = 16
	body, err := m.ask(ctx, "responses", r)
	if err != nil {
		return err
	}
	return m.readable(body, "output")
}
