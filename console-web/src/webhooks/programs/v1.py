import base64, hashlib, hmac, json, os, time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def signed_event(headers, body):
    """The event. Raises unless it was signed with the secret within the last five minutes.
    headers: by lower-case name. body: the bytes as they came."""
    sent = headers["webhook-timestamp"]
    signed = f"{headers['webhook-id']}.{sent}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    given = headers["webhook-signature"].encode().split(b" ")
    if not any([hmac.compare_digest(one, expected) for one in given]):
        raise ValueError("The signature is wrong.")
    if abs(time.time() - int(sent)) > 300:
        raise ValueError("It was signed too long ago.")
    return json.loads(body)
