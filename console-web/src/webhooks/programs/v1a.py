# pip install cryptography
import base64, json, time
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import load_pem_public_key

KEY = load_pem_public_key(b"""-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA<PUBLIC_KEY>
-----END PUBLIC KEY-----""")


def is_signed(signature, message):
    try:
        KEY.verify(base64.b64decode(signature), message)
        return True
    except (InvalidSignature, ValueError):
        return False


def signed_event(headers, body):
    """The event. Raises unless it was signed with the key of the endpoint within the last five minutes.
    headers: by lower-case name. body: the bytes as they came."""
    sent = headers["webhook-timestamp"]
    signed = f"{headers['webhook-id']}.{sent}.".encode() + body
    given = headers["webhook-signature"].split(" ")
    if not any(one.startswith("v1a,") and is_signed(one[4:], signed) for one in given):
        raise ValueError("The signature is wrong.")
    if abs(time.time() - int(sent)) > 300:
        raise ValueError("It was signed too long ago.")
    return json.loads(body)
