"""Follows the beacons of a service, and sees to it that each continues the one before. Python 3.9 and nothing else:

  PHAROS_URL=https://pharos.example PHAROS_API_KEY=phk_… python3 beacon_watcher.py beacons.jsonl

The file keeps one beacon a line. What came while the watcher was away is fetched first, so the file has no gap. It ends
with 1 when a beacon does not continue the one before: keep the file then, because it shows that the chain was replaced.
With --once it ends as soon as nothing newer is there. It ends with 2 when it is not answered.
"""
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("PHAROS_URL", "http://localhost:4000")
KEY = os.environ.get("PHAROS_API_KEY", "")
PAGE = 250
# A beacon is made about once a minute.
PAUSE_SECONDS = 15
TIMEOUT_SECONDS = 30
# No answer, half of one, or that of somebody in between: what comes while a service is started again.
TROUBLE = (OSError, http.client.HTTPException, ValueError, KeyError, TypeError)


def beacons_after(last):
    """The next beacons, the oldest first: at most a page of them."""
    query = {"sort": "id", "page[limit]": PAGE}
    if last:
        query["filter[id][gt]"] = last["id"]
    request = urllib.request.Request(
        f"{URL}/api/json/beacons?{urllib.parse.urlencode(query)}",
        headers={"Authorization": f"Bearer {KEY}", "Accept": "application/vnd.api+json"},
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
        rows = json.load(response)["data"]
    return [{"id": row["id"], **row["attributes"]} for row in rows]


def fail(code, message):
    print(message, file=sys.stderr)
    sys.exit(code)


def last_in(path):
    """The last whole line. What a watcher that was killed has written half of is taken away, and fetched again."""
    try:
        with open(path, "r+b") as kept:
            found = kept.read()
            whole = found[: found.rfind(b"\n") + 1]
            if whole != found:
                kept.truncate(len(whole))
    except FileNotFoundError:
        return None
    lines = whole.splitlines()
    return json.loads(lines[-1]) if lines else None


def follow(path, once):
    last = last_in(path)
    with open(path, "a", encoding="utf-8") as kept:
        while True:
            try:
                found = beacons_after(last)
            except TROUBLE as error:
                # Wrong once is wrong for ever: a key that is not accepted, an address that there is not.
                if once or (isinstance(error, urllib.error.HTTPError) and error.code in (400, 401, 403, 404)):
                    fail(2, f"{URL} did not answer with beacons: {error}")
                print(f"{URL} did not answer: {error}", file=sys.stderr)
                found = []
            for beacon in found:
                if last and beacon["previous_hash"] != last["hash"]:
                    fail(1, f"{beacon['id']} does not continue {last['id']}.")
                kept.write(json.dumps(beacon) + "\n")
                kept.flush()
                print(beacon["timestamp"], beacon["hash"], flush=True)
                last = beacon
            if found:
                continue
            if once:
                return
            time.sleep(PAUSE_SECONDS)


words = [word for word in sys.argv[1:] if word != "--once"]
if len(words) != 1:
    fail(2, "Name the file that keeps the beacons.")
follow(words[0], "--once" in sys.argv)
