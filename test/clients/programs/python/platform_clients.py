"""Calls gatehouse with ipsdk and with the Python SDK of MCP. Prints ["CALL", RESULT] in one line for each call."""

import asyncio
import json
import os
from urllib.parse import urlsplit

import httpx
import ipsdk
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

URL = os.environ["GATEHOUSE_URL"]
PASSWORD = os.environ["GATEHOUSE_PASSWORD"]
SECRET = os.environ["GATEHOUSE_SECRET"]
TARGET = {"path": "/restconf/data/ietf-interfaces:interfaces", "accept": "application/yang-data+json"}


def report(call, result):
    print(json.dumps([call, result]), flush=True)


def platform(**credentials):
    place = urlsplit(URL)
    return ipsdk.platform_factory(host=place.hostname, port=place.port, use_tls=False, **credentials)


def by_password():
    client = platform(user="ada", password=PASSWORD)
    report("ipsdk whoami", client.get("/whoami").json()["username"])
    report("ipsdk getAdapters", [item["data"]["name"] for item in client.get("/adapters").json()["results"]])
    health = client.get("/health/adapters", params={"equals": "core1", "equalsField": "id"}).json()
    report("ipsdk getAdaptersHealth", [health["total"], health["results"][0]["state"]])
    query = client.post("/nso_manager/restQuery/core1", json={"params": TARGET}).json()
    report("ipsdk restQuery", list(query))
    form = client.post("/json-forms/forms", json={"name": "Port", "schema": {"type": "object"}}).json()
    report("ipsdk createForm", [form["status"], form["doc"]["name"]])
    profile = client.post("/profiles", json={"properties": {"id": "edge"}}).json()
    report("ipsdk createProfile", profile["data"]["id"])
    try:
        client.get("/adapters/nowhere")
        report("ipsdk getAdapter of a missing adapter", None)
    except ipsdk.exceptions.HTTPStatusError as error:
        report("ipsdk getAdapter of a missing adapter", error.response.status_code)


def by_client():
    client = platform(client_id="ci", client_secret=SECRET)
    report("ipsdk with OAuth", client.get("/version").text.split("+")[0])


async def many():
    client = ipsdk.platform_factory(
        host=urlsplit(URL).hostname,
        port=urlsplit(URL).port,
        use_tls=False,
        user="ada",
        password=PASSWORD,
        want_async=True,
    )
    replies = await asyncio.gather(*(client.get("/whoami") for _ in range(20)))
    report("ipsdk, 20 at once", {reply.json()["username"] for reply in replies} == {"ada"})


async def agent():
    token = httpx.post(f"{URL}/login", json={"user": {"username": "ada", "password": PASSWORD}}).text
    headers = {"Authorization": f"Bearer {token}"}
    async with streamablehttp_client(f"{URL}/mcp", headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            tools = await session.list_tools()
            report("MCP tools", sorted(tool.name for tool in tools.tools))
            result = await session.call_tool("restQuery", {"adapterId": "core1", "params": TARGET})
            report("MCP restQuery", [result.isError, list(json.loads(result.content[0].text))])
            wrong = await session.call_tool("restQuery", {"adapterId": "nowhere", "params": TARGET})
            report("MCP restQuery of a missing adapter", [wrong.isError, json.loads(wrong.content[0].text)["code"]])


by_password()
by_client()
asyncio.run(many())
asyncio.run(agent())
