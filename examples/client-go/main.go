// Calls an orchestrator through gatehouse, with the standard library of Go.
//
//	GATEHOUSE_URL=https://localhost:3443 CLIENT_ID=... CLIENT_SECRET=... go run . ADAPTER PATH
package main

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

const attempts = 4

// Problem is a failed call, as RFC 9457 describes it.
type Problem struct {
	Status         int    `json:"status"`
	Code           string `json:"code"`
	Detail         string `json:"detail"`
	Recommendation string `json:"recommendation"`
}

func (p *Problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Detail) }

// Client sends calls to one gatehouse.
type Client struct {
	URL   string
	Token string
	HTTP  *http.Client
}

// send sends a request, and repeats it as the server asks for. It returns the body of the reply.
func (c *Client) send(method, path string, header http.Header, body []byte) ([]byte, error) {
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequest(method, c.URL+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header = header
		reply, err := c.HTTP.Do(request)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		if err != nil {
			return nil, err
		}
		if reply.StatusCode < 400 {
			return text, nil
		}
		seconds, isRetried := retryAfter(reply)
		if !isRetried || attempt == attempts {
			return nil, problemOf(reply, text)
		}
		fmt.Fprintf(os.Stderr, "waiting %d s after %d\n", seconds, reply.StatusCode)
		time.Sleep(time.Duration(seconds) * time.Second)
	}
}

// retryAfter returns the seconds after which the server accepts the request again.
func retryAfter(reply *http.Response) (int, bool) {
	if reply.StatusCode != http.StatusTooManyRequests && reply.StatusCode != http.StatusServiceUnavailable {
		return 0, false
	}
	seconds, err := strconv.Atoi(reply.Header.Get("Retry-After"))
	return seconds, err == nil
}

// problemOf returns the problem of a reply. A proxy before gatehouse may answer with something else.
func problemOf(reply *http.Response, text []byte) error {
	problem := &Problem{}
	isProblem := strings.HasPrefix(reply.Header.Get("Content-Type"), "application/problem+json")
	if !isProblem || json.Unmarshal(text, problem) != nil {
		problem = &Problem{Detail: string(text)}
	}
	problem.Status = reply.StatusCode
	return problem
}

// signIn gets a token for client credentials (RFC 6749 section 4.4).
func (c *Client) signIn(id, secret string) error {
	basic := &http.Request{Header: http.Header{}}
	basic.SetBasicAuth(url.QueryEscape(id), url.QueryEscape(secret))
	basic.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	text, err := c.send("POST", "/oauth/token", basic.Header, []byte("grant_type=client_credentials"))
	if err != nil {
		return err
	}
	var reply struct {
		AccessToken string `json:"access_token"`
	}
	err = json.Unmarshal(text, &reply)
	c.Token = reply.AccessToken
	return err
}

func (c *Client) headers() http.Header {
	return http.Header{"Authorization": {"Bearer " + c.Token}, "Content-Type": {"application/json"}}
}

// Adapters returns the names of the adapters that the caller may use.
func (c *Client) Adapters() ([]string, error) {
	text, err := c.send("GET", "/adapters", c.headers(), nil)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Results []struct {
			Data struct {
				Name string `json:"name"`
			} `json:"data"`
		} `json:"results"`
	}
	err = json.Unmarshal(text, &reply)
	names := []string{}
	for _, entry := range reply.Results {
		names = append(names, entry.Data.Name)
	}
	return names, err
}

// RestQuery reads a path of an orchestrator. It returns the reply as bytes, so that large integers keep all digits.
func (c *Client) RestQuery(adapter, path string) ([]byte, error) {
	params := map[string]string{"path": path, "accept": "application/json"}
	body, err := json.Marshal(map[string]any{"params": params})
	if err != nil {
		return nil, err
	}
	return c.send("POST", "/orchestrator_manager/restQuery/"+url.PathEscape(adapter), c.headers(), body)
}

// newClient trusts the CA in the PEM file GATEHOUSE_CA, or the CAs of the system.
func newClient() (*Client, error) {
	client := &Client{
		URL:   cmp.Or(os.Getenv("GATEHOUSE_URL"), "https://localhost:3443"),
		Token: os.Getenv("GATEHOUSE_TOKEN"),
		HTTP:  &http.Client{Timeout: time.Minute},
	}
	file := os.Getenv("GATEHOUSE_CA")
	if file == "" {
		return client, nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New("no certificate in " + file)
	}
	client.HTTP.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	return client, nil
}

func run(adapter, path string) error {
	client, err := newClient()
	if err != nil {
		return err
	}
	if client.Token == "" {
		if err := client.signIn(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET")); err != nil {
			return err
		}
	}
	names, err := client.Adapters()
	if err != nil {
		return err
	}
	fmt.Println("adapters:", strings.Join(names, " "))
	reply, err := client.RestQuery(adapter, path)
	if err != nil {
		return err
	}
	fmt.Println("reply:", string(reply))
	_, err = client.RestQuery("missing", path)
	var problem *Problem
	if !errors.As(err, &problem) {
		return err
	}
	fmt.Println("problem:", problem.Status, problem.Code)
	return nil
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: gatehouse-client ADAPTER PATH")
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}
