# Runs operations of NETCONF with ncclient. Reads JSON from standard input, writes the replies as JSON to standard output.
import json
import sys

from ncclient import manager
from ncclient.operations import RPCError

task = json.load(sys.stdin)
results = []
with manager.connect(
    host="127.0.0.1",
    port=task["port"],
    username=task["username"],
    key_filename=task["key"],
    hostkey_verify=False,
    allow_agent=False,
    look_for_keys=False,
    timeout=60,
) as session:
    for operation, text in task["operations"]:
        try:
            if operation == "get-config":
                reply = session.get_config("running", filter=("subtree", text))
                results.append(reply.data_xml)
            elif operation == "get":
                results.append(session.get(filter=("subtree", text)).data_xml)
            else:
                with session.locked("candidate"):
                    session.edit_config(text, target="candidate", default_operation="none")
                    session.commit()
                results.append("ok")
        except RPCError as error:
            session.discard_changes()
            results.append("error " + error.tag)
json.dump(results, sys.stdout)
