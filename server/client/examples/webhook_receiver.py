"""Takes signed webhooks (an endpoint with `signing` `v1`) and prints each event once. Python 3.9 and nothing else:

  PHAROS_SIGNING_SECRET=whsec_… python3 webhook_receiver.py

It listens on plain HTTP at 127.0.0.1 and PORT (8080), behind whatever ends TLS for you. On a laptop that nobody can
reach, `npx --no pharos listen --forward-to http://127.0.0.1:8080/` brings the events.
"""
import base64
import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

SECRET = os.environ.get("PHAROS_SIGNING_SECRET", "")
if not SECRET.startswith("whsec_"):
    sys.exit("Set PHAROS_SIGNING_SECRET to the whsec_… of the endpoint.")
KEY = base64.b64decode(SECRET[len("whsec_"):])
LARGEST_BODY = 1_048_576
# A signature that is older could be one that somebody kept, to send it again.
OLDEST_SECONDS = 300


def is_signed(headers, body):
    """body: the bytes as they came"""
    sent = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", sent) or abs(time.time() - int(sent)) >= OLDEST_SECONDS:
        return False
    message = f"{headers.get('webhook-id', '')}.{sent}.".encode("latin-1") + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, message, hashlib.sha256).digest())
    # There are several while a key is being changed.
    given = headers.get("webhook-signature", "").encode("latin-1").split(b" ")
    return any([hmac.compare_digest(one, expected) for one in given])


# Messages that came already. A receiver that is started again wants them in a table, with the id as its key.
seen = set()
lock = Lock()


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        size = self.headers.get("content-length", "")
        # Without a size, or with a negative one, it would be read for as long as somebody sends.
        if not re.fullmatch("[0-9]{1,7}", size) or int(size) > LARGEST_BODY:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(int(size))
        if not is_signed(self.headers, body):
            return self.answer(401)
        # Answered before anything is done with it: an answer that takes 15 seconds counts as none.
        self.answer(204)
        message = self.headers["webhook-id"]
        with lock:
            if message in seen:
                return
            seen.add(message)
        event = json.loads(body)
        print(event["type"], event["data"]["id"], flush=True)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
