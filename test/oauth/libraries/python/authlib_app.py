import json
import os

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

BASE = os.environ["BASE"]
session = OAuth2Session(
    os.environ["CLIENT_ID"],
    os.environ.get("CLIENT_SECRET"),
    scope="tickets:read",
    redirect_uri=os.environ["REDIRECT_URI"],
    code_challenge_method="S256",
)
verifier = generate_token(48)
address, state = session.create_authorization_url(f"{BASE}/oauth/authorize", code_verifier=verifier, resource=BASE)
print(address, flush=True)
tokens = session.fetch_token(
    f"{BASE}/oauth/token", authorization_response=input(), code_verifier=verifier, state=state, resource=BASE
)
refreshed = session.refresh_token(f"{BASE}/oauth/token", tokens["refresh_token"])
answer = session.get(f"{BASE}/v1/tickets")
email = session.get(f"{BASE}/oauth/userinfo").json()["email"]
access_tokens = [tokens["access_token"], refreshed["access_token"]]
print(json.dumps({"accessTokens": access_tokens, "status": answer.status_code, "email": email}), flush=True)
session.revoke_token(f"{BASE}/oauth/revoke", refreshed["refresh_token"], "refresh_token")
