import asyncio
import json
import os

import httpx
from httpx_oauth.clients.openid import OpenID

BASE = os.environ["BASE"]


async def main():
    discovery = f"{BASE}/.well-known/openid-configuration"
    client = OpenID(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"], discovery, base_scopes=["openid"])
    print(await client.get_authorization_url(os.environ["REDIRECT_URI"], state="abc"), flush=True)
    code = httpx.URL(input()).params["code"]
    tokens = await client.get_access_token(code, os.environ["REDIRECT_URI"])
    refreshed = await client.refresh_token(tokens["refresh_token"])
    _, email = await client.get_id_email(refreshed["access_token"])
    headers = {"authorization": f"Bearer {refreshed['access_token']}"}
    status = httpx.get(f"{BASE}/v1/tickets", headers=headers).status_code
    access_tokens = [tokens["access_token"], refreshed["access_token"]]
    print(json.dumps({"accessTokens": access_tokens, "status": status, "email": email}), flush=True)
    await client.revoke_token(refreshed["refresh_token"], "refresh_token")


asyncio.run(main())
