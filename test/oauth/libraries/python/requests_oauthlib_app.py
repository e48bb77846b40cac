import json
import os

# The library refuses http, even on this machine.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

from requests_oauthlib import OAuth2Session  # noqa: E402

BASE = os.environ["BASE"]
session = OAuth2Session(
    os.environ["CLIENT_ID"], redirect_uri=os.environ["REDIRECT_URI"], scope=["tickets:read"], pkce="S256"
)
address, _ = session.authorization_url(f"{BASE}/oauth/authorize")
print(address, flush=True)
tokens = session.fetch_token(f"{BASE}/oauth/token", authorization_response=input(), include_client_id=True)
refreshed = session.refresh_token(f"{BASE}/oauth/token", client_id=os.environ["CLIENT_ID"])
answer = session.get(f"{BASE}/v1/tickets")
access_tokens = [tokens["access_token"], refreshed["access_token"]]
print(json.dumps({"accessTokens": access_tokens, "status": answer.status_code}), flush=True)
body = {"token": refreshed["refresh_token"], "client_id": os.environ["CLIENT_ID"]}
session.post(f"{BASE}/oauth/revoke", data=body, withhold_token=True).raise_for_status()
