// Follows the beacons of a service, and sees to it that each continues the one before. Go 1.22 and nothing else:
//
//	PHAROS_URL=https://pharos.example PHAROS_API_KEY=phk_… go run beacon_watcher.go beacons.jsonl
//
// The file keeps one beacon a line. What came while the watcher was away is fetched first, so the file has no gap. It
// ends with 1 when a beacon does not continue the one before: keep the file then, because it shows that the chain was
// replaced. With --once before the file it ends as soon as nothing newer is there. It ends with 2 when it is not answered.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"
)

type beacon struct {
	ID           string `json:"id"`
	Hash         string `json:"hash"`
	Timestamp    string `json:"timestamp"`
	PreviousHash string `json:"previous_hash"`
}

// A beacon is made about once a minute.
const pause = 15 * time.Second

var client = http.Client{Timeout: 30 * time.Second}

// errRefused is an answer that will not change: a key that is not accepted, an address that there is not.
var errRefused = errors.New("refused")

// beaconsAfter answers the next beacons, the oldest first: at most a page of them.
func beaconsAfter(service, key, last string) ([]beacon, error) {
	query := url.Values{"sort": {"id"}, "page[limit]": {"250"}}
	if last != "" {
		query.Set("filter[id][gt]", last)
	}
	request, err := http.NewRequest("GET", service+"/api/json/beacons?"+query.Encode(), nil)
	if err != nil {
		return nil, errors.Join(errRefused, err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Accept", "application/vnd.api+json")
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case 200:
	case 400, 401, 403, 404:
		return nil, errors.Join(errRefused, errors.New(response.Status))
	default:
		return nil, errors.New(response.Status)
	}
	var page struct {
		Data []struct {
			ID         string
			Attributes beacon
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&page); err != nil {
		return nil, err
	}
	found := make([]beacon, 0, len(page.Data))
	for _, row := range page.Data {
		row.Attributes.ID = row.ID
		found = append(found, row.Attributes)
	}
	return found, nil
}

// lastIn answers the beacon of the last whole line, which is empty when there is none. What a watcher that was killed
// has written half of is taken away, and fetched again.
func lastIn(path string) (last beacon, err error) {
	kept, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return last, nil
	}
	if err != nil {
		return last, err
	}
	whole := kept[:bytes.LastIndexByte(kept, '\n')+1]
	if len(whole) < len(kept) {
		if err := os.Truncate(path, int64(len(whole))); err != nil {
			return last, err
		}
	}
	if len(whole) == 0 {
		return last, nil
	}
	lines := bytes.Split(whole[:len(whole)-1], []byte("\n"))
	err = json.Unmarshal(lines[len(lines)-1], &last)
	return last, err
}

// fail ends the program.
func fail(code int, format string, words ...any) {
	log.Printf(format, words...)
	os.Exit(code)
}

func main() {
	log.SetFlags(0)
	once := flag.Bool("once", false, "end as soon as nothing newer is there")
	flag.Parse()
	if flag.NArg() != 1 {
		fail(2, "Name the file that keeps the beacons.")
	}
	service := os.Getenv("PHAROS_URL")
	if service == "" {
		service = "http://localhost:4000"
	}
	last, err := lastIn(flag.Arg(0))
	if err != nil {
		fail(2, "%v", err)
	}
	kept, err := os.OpenFile(flag.Arg(0), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		fail(2, "%v", err)
	}
	for {
		found, err := beaconsAfter(service, os.Getenv("PHAROS_API_KEY"), last.ID)
		if err != nil {
			if *once || errors.Is(err, errRefused) {
				fail(2, "%s did not answer with beacons: %v", service, err)
			}
			log.Printf("%s did not answer: %v", service, err)
		}
		for _, one := range found {
			if last.Hash != "" && one.PreviousHash != last.Hash {
				fail(1, "%s does not continue %s.", one.ID, last.ID)
			}
			line, err := json.Marshal(one)
			if err == nil {
				_, err = kept.Write(append(line, '\n'))
			}
			if err != nil {
				fail(2, "%v", err)
			}
			fmt.Println(one.Timestamp, one.Hash)
			last = one
		}
		if len(found) > 0 {
			continue
		}
		if *once {
			return
		}
		time.Sleep(pause)
	}
}
