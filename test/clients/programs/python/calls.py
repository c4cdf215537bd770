"""Calls a server with the client that openapi-python-client generates. Prints one line for each call."""

import json
import os

from gatehouse_client import AuthenticatedClient, Client, models
from gatehouse_client.api.adapters import (
    create_adapter,
    delete_adapter,
    get_adapter,
    get_adapter_changelogs,
    get_adapters,
    update_adapter,
)
from gatehouse_client.api.audit import get_audit
from gatehouse_client.api.health import get_health_status
from gatehouse_client.api.json_forms import create_form, delete_forms, get_form_by_id, validate_form
from gatehouse_client.api.login import login, whoami
from gatehouse_client.api.orchestrator_manager import rest_action, rest_query
from gatehouse_client.api.platform import get_version
from gatehouse_client.api.profiles import create_profile, get_profiles
from gatehouse_client.api.tools import rest_call

INTERFACES = "/restconf/data/ietf-interfaces:interfaces"
MEDIA_TYPE = "application/yang-data+json"
SERVER = os.environ["GATEHOUSE_URL"]


def show(call: str, result: object) -> None:
    print(json.dumps([call, result]), flush=True)


anonymous = Client(base_url=SERVER)
credentials = models.Login(username="ada", password=os.environ["GATEHOUSE_PASSWORD"])
token = login.sync(client=anonymous, body=credentials)
show("login", isinstance(token, str) and token != "")
client = AuthenticatedClient(base_url=SERVER, token=token)

show("whoami", whoami.sync(client=client).subject)
show("getHealthStatus", get_health_status.sync(client=anonymous).adapters)
show("getVersion", get_version.sync(client=client).split("+")[0])

query = models.RESTQueryRequest.from_dict({"params": {"path": INTERFACES, "accept": MEDIA_TYPE}})
reply = rest_query.sync_detailed("core1", client=client, body=query)
show("restQuery", "ietf-interfaces:interfaces" in json.loads(reply.content))

action = models.RESTActionRequest.from_dict(
    {
        "params": {
            "path": INTERFACES + "/interface=eth1",
            "accept": MEDIA_TYPE,
            "contentType": MEDIA_TYPE,
            "method": "PATCH",
        },
        "body": {"ietf-interfaces:interface": [{"name": "eth1", "description": "uplink"}]},
    }
)
show("restAction", rest_action.sync("core1", client=client, body=action)[0].result)

outbound = models.RESTCallRequest.from_dict(
    {"uri": os.environ["INVENTORY_URL"] + "/devices/r1", "verb": "GET", "responseHeaders": False}
)
show("restCall", rest_call.sync(client=client, body=outbound).response["site"])

settings = {
    "baseUrl": os.environ["ORCHESTRATOR_URL"],
    "auth": {"type": "basic", "username": "gatehouse", "password": "$VAULT_adapters/core1#password"},
    "tls": {"caFile": "../orchestrator-ca.pem"},
}
new = {"name": "nso2", "model": "restconf", "properties": {"properties": settings}}
created = create_adapter.sync(client=client, body=models.NewAdapter.from_dict({"properties": new}))
show("createAdapter", created.data.name)

show("getAdapters", sorted(entry.data.name for entry in get_adapters.sync(client=client, limit=10).results))
show("getAdapter", get_adapter.sync("nso2", client=client).data.model)

changed = {"name": "nso2", "model": "restconf", "properties": {"type": "NSO", "properties": settings}}
updated = update_adapter.sync(
    "nso2", client=client, body=models.ChangedAdapter.from_dict({"properties": changed})
)
show("updateAdapter", updated.data.properties.type_)

show("getAdapterChangelogs", get_adapter_changelogs.sync("nso2", client=client).total > 0)
show("deleteAdapter", delete_adapter.sync("nso2", client=client).status)

missing = get_adapter.sync("nso2", client=client)
assert isinstance(missing, models.Problem)
show("getAdapter of a missing adapter", [missing.status, missing.code])

schema = {"type": "object", "properties": {"vlan": {"type": "integer"}}}
form = create_form.sync(client=client, body=models.NewForm.from_dict({"name": "Port", "schema": schema})).doc
show("createForm", form.name)
show("getFormById", get_form_by_id.sync(form.id, client=client).name)

data = models.DataOfAForm(form_data={"vlan": "x"})
show("validateForm", validate_form.sync(form.id, client=client, body=data).validation.valid)
show("deleteForms", delete_forms.sync(client=client, body=models.FormsToDelete(ids=[form.id])).deleted)

profile = create_profile.sync(client=client, body=models.NewProfile.from_dict({"properties": {"id": "edge"}}))
show("createProfile", profile.data.id)
show("getProfiles", [entry.profile.id for entry in get_profiles.sync(client=client).results])
show("getAudit", get_audit.sync(client=client, operation="profiles.createProfile").results[0].subject)

# The first client keeps the cookie of the login.
refused = rest_query.sync("core1", client=Client(base_url=SERVER), body=query)
assert isinstance(refused, models.Problem)
show("restQuery without a token", [refused.status, refused.code])
