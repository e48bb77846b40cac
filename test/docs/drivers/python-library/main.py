import base64
import json
import sys

from standardwebhooks.webhooks import Webhook


def accepts(request):
    try:
        Webhook(request["secret"]).verify(base64.b64decode(request["body"]), request["headers"])
        return True
    except Exception:
        return False


print(json.dumps([accepts(request) for request in json.load(sys.stdin)]))
