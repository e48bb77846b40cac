import base64
import json
import sys

from verify import verify

requests = json.load(sys.stdin)
print(json.dumps([verify(r["secret"], r["headers"], base64.b64decode(r["body"])) for r in requests]))
