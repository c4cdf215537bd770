// Calls a server with the client that oapi-codegen generates. Prints one line for each call.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sort"
	"strings"
)

const (
	interfaces = "/restconf/data/ietf-interfaces:interfaces"
	mediaType  = "application/yang-data+json"
)

func print(call string, result any) {
	line, err := json.Marshal([]any{call, result})
	must(err)
	fmt.Println(string(line))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// got returns the response of a call. A client that cannot decode a response ends the program.
func got[Reply any](reply Reply, err error) Reply {
	must(err)
	return reply
}

// body fills the generated type of a request body from its members.
func body[Body any](members map[string]any) Body {
	text, err := json.Marshal(members)
	must(err)
	var filled Body
	must(json.Unmarshal(text, &filled))
	return filled
}

type object = map[string]any

func main() {
	ctx := context.Background()
	server := os.Getenv("GATEHOUSE_URL")
	anonymous := got(NewClientWithResponses(server))

	login := got(anonymous.LoginWithResponse(ctx, nil, body[LoginJSONRequestBody](object{
		"username": "ada", "password": os.Getenv("GATEHOUSE_PASSWORD"),
	})))
	token := string(login.Body)
	print("login", login.StatusCode() == 200 && token != "")

	client := got(NewClientWithResponses(server, WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token)
			return nil
		})))

	print("whoami", got(client.WhoamiWithResponse(ctx)).JSON200.Subject)
	print("getHealthStatus", got(anonymous.GetHealthStatusWithResponse(ctx, nil)).JSON200.Adapters)
	version, _, _ := strings.Cut(string(got(client.GetVersionWithResponse(ctx)).Body), "+")
	print("getVersion", version)

	queryBody := body[RestQueryJSONRequestBody](object{"params": object{"path": interfaces, "accept": mediaType}})
	query := got(client.RestQueryWithResponse(ctx, "core1", nil, queryBody))
	var found object
	must(json.Unmarshal(query.Body, &found))
	print("restQuery", query.JSON200 != nil && found["ietf-interfaces:interfaces"] != nil)

	action := got(client.RestActionWithResponse(ctx, "core1", nil, body[RestActionJSONRequestBody](object{
		"params": object{
			"path": interfaces + "/interface=eth1", "accept": mediaType, "contentType": mediaType, "method": "PATCH",
		},
		"body": object{"ietf-interfaces:interface": []object{{"name": "eth1", "description": "uplink"}}},
	})))
	print("restAction", (*action.JSON200)[0].Result)

	outbound := got(client.RestCallWithResponse(ctx, nil, body[RestCallJSONRequestBody](object{
		"uri": os.Getenv("INVENTORY_URL") + "/devices/r1", "verb": "GET", "responseHeaders": false,
	})))
	print("restCall", outbound.JSON200.Response.(object)["site"])

	settings := object{
		"baseUrl": os.Getenv("ORCHESTRATOR_URL"),
		"auth":    object{"type": "basic", "username": "gatehouse", "password": "$VAULT_adapters/core1#password"},
		"tls":     object{"caFile": "../orchestrator-ca.pem"},
	}
	created := got(client.CreateAdapterWithResponse(ctx, nil, body[CreateAdapterJSONRequestBody](object{
		"properties": object{"name": "nso2", "model": "restconf", "properties": object{"properties": settings}},
	})))
	print("createAdapter", created.JSON200.Data.Name)

	limit := 10
	adapters := got(client.GetAdaptersWithResponse(ctx, &GetAdaptersParams{Limit: &limit}))
	names := []string{}
	for _, entry := range adapters.JSON200.Results {
		names = append(names, entry.Data.Name)
	}
	sort.Strings(names)
	print("getAdapters", names)

	print("getAdapter", got(client.GetAdapterWithResponse(ctx, "nso2")).JSON200.Data.Model)

	updated := got(client.UpdateAdapterWithResponse(ctx, "nso2", nil, body[UpdateAdapterJSONRequestBody](object{
		"properties": object{
			"name": "nso2", "model": "restconf", "properties": object{"type": "NSO", "properties": settings},
		},
	})))
	print("updateAdapter", updated.JSON200.Data.Properties.Type)

	changelogs := got(client.GetAdapterChangelogsWithResponse(ctx, "nso2", nil))
	print("getAdapterChangelogs", changelogs.JSON200.Total > 0)

	print("deleteAdapter", got(client.DeleteAdapterWithResponse(ctx, "nso2", nil)).JSON200.Status)

	missing := got(client.GetAdapterWithResponse(ctx, "nso2")).ApplicationproblemJSON404
	print("getAdapter of a missing adapter", []any{missing.Status, missing.Code})

	form := got(client.CreateFormWithResponse(ctx, nil, body[CreateFormJSONRequestBody](object{
		"name":   "Port",
		"schema": object{"type": "object", "properties": object{"vlan": object{"type": "integer"}}},
	}))).JSON200.Doc
	print("createForm", form.Name)

	stored := got(client.GetFormByIdWithResponse(ctx, form.Id, nil)).JSON200
	print("getFormById", stored.Name)

	validation := got(client.ValidateFormWithResponse(ctx, form.Id, nil, body[ValidateFormJSONRequestBody](object{
		"formData": object{"vlan": "x"},
	})))
	print("validateForm", validation.JSON200.Validation.Valid)

	removed := got(client.DeleteFormsWithResponse(ctx, nil, body[DeleteFormsJSONRequestBody](object{
		"ids": []string{form.Id},
	})))
	print("deleteForms", removed.JSON200.Deleted)

	profile := got(client.CreateProfileWithResponse(ctx, nil, body[CreateProfileJSONRequestBody](object{
		"properties": object{"id": "edge"},
	})))
	print("createProfile", profile.JSON200.Data.Id)

	ids := []string{}
	for _, entry := range got(client.GetProfilesWithResponse(ctx, nil)).JSON200.Results {
		ids = append(ids, entry.Profile.Id)
	}
	print("getProfiles", ids)

	operation := "profiles.createProfile"
	audit := got(client.GetAuditWithResponse(ctx, &GetAuditParams{Operation: &operation}))
	print("getAudit", audit.JSON200.Results[0].Subject)

	refused := got(anonymous.RestQueryWithResponse(ctx, "core1", nil, queryBody)).ApplicationproblemJSON401
	print("restQuery without a token", []any{refused.Status, refused.Code})
}
