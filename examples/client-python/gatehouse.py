"""Calls an orchestrator through gatehouse, with the standard library of Python 3.9 or later.

    GATEHOUSE_URL=https://localhost:3443 CLIENT_ID=... CLIENT_SECRET=... python3 gatehouse.py ADAPTER PATH
"""

import base64
import json
import os
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("GATEHOUSE_URL", "https://localhost:3443")
# A private CA: the PEM file of its certificate. Without it, the CAs of the system apply.
TLS = ssl.create_default_context(cafile=os.environ.get("GATEHOUSE_CA"))
ATTEMPTS = 4
RETRIED = (429, 503)


class Problem(Exception):
    """A failed call, as RFC 9457 describes it."""

    def __init__(self, status, document):
        super().__init__(document.get("detail", ""))
        self.status = status
        self.code = document.get("code", "")
        self.recommendation = document.get("recommendation", "")


def send(method, path, headers, body=None):
    """Sends a request, and repeats it as the server asks for. Returns the body of the reply as text."""
    for attempt in range(1, ATTEMPTS + 1):
        request = urllib.request.Request(URL + path, data=body, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60, context=TLS if URL.startswith("https:") else None) as reply:
                return reply.read().decode()
        except urllib.error.HTTPError as error:
            seconds = error.headers.get("Retry-After")
            if error.code not in RETRIED or seconds is None or attempt == ATTEMPTS:
                raise problem_of(error) from None
            print(f"waiting {seconds} s after {error.code}", file=sys.stderr)
            time.sleep(float(seconds))


def problem_of(error):
    """Returns the problem of a reply. A proxy before gatehouse may answer with something else."""
    text = error.read().decode(errors="replace")
    is_problem = error.headers.get_content_type() == "application/problem+json"
    return Problem(error.code, json.loads(text) if is_problem else {"detail": text})


def sign_in(client_id, client_secret):
    """Returns a token for client credentials (RFC 6749 section 4.4)."""
    pair = f"{urllib.parse.quote(client_id, '')}:{urllib.parse.quote(client_secret, '')}"
    headers = {
        "Authorization": "Basic " + base64.b64encode(pair.encode()).decode(),
        "Content-Type": "application/x-www-form-urlencoded",
    }
    return json.loads(send("POST", "/oauth/token", headers, b"grant_type=client_credentials"))["access_token"]


class Gatehouse:
    """The calls of this example, with a token."""

    def __init__(self, token):
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def adapters(self):
        """Returns the names of the adapters that the caller may use."""
        reply = json.loads(send("GET", "/adapters", self._headers))
        return [entry["data"]["name"] for entry in reply["results"]]

    def rest_query(self, adapter, path, accept="application/json"):
        """Reads a path of an orchestrator. Returns the reply as text, so that large integers keep all digits."""
        body = json.dumps({"params": {"path": path, "accept": accept}}).encode()
        return send("POST", f"/orchestrator_manager/restQuery/{urllib.parse.quote(adapter, '')}", self._headers, body)


def main(adapter, path):
    token = os.environ.get("GATEHOUSE_TOKEN") or sign_in(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])
    gatehouse = Gatehouse(token)
    print("adapters:", " ".join(gatehouse.adapters()))
    print("reply:", gatehouse.rest_query(adapter, path))
    try:
        gatehouse.rest_query("missing", path)
    except Problem as problem:
        print("problem:", problem.status, problem.code)


if __name__ == "__main__":
    main(*sys.argv[1:3])
