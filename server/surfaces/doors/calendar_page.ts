// The page about the calendar for people: what it is, how far it has come, and the lines to type.
import type { ChainStanding } from '../../domain/commitments/commitment.ts'
import { type Html, html } from '../http/html.ts'
import { textPage } from '../http/text_page.ts'

interface CalendarShown {
  /** Of the calendar, with its last slash. */
  readonly address: string
  /** Of the Bitcoin chain. Undefined before it has been asked. */
  readonly standing: ChainStanding | undefined
}

export const calendarPage = ({ address, standing }: CalendarShown): Html =>
  textPage({
    title: 'OpenTimestamps calendar',
    description: 'A calendar for the ordinary OpenTimestamps client.',
    canonical: address,
    main: html`<article>
<header class="head">
<p class="kind">For programs you have already</p>
<h1>OpenTimestamps calendar</h1>
</header>
<div class="prose">
<p>The ordinary <code>ots</code> client can stamp files here. It sends a hash, never the file, and needs no account.</p>
<h2>Lines to type</h2>
<pre tabindex="0"><code>pip install opentimestamps-client
ots stamp -c ${address} -m 1 FILE
ots upgrade -c ${address} FILE.ots
ots info FILE.ots
ots -l ${address} verify FILE.ots</code></pre>
<p>The last slash of the address is part of it. <code>ots upgrade</code> without <code>-c</code> skips calendars that are
not on the client’s own list. <code>-l</code> puts this one there for one command:</p>
<pre tabindex="0"><code>ots -l ${address} upgrade FILE.ots</code></pre>
<p><code>verify</code> asks a Bitcoin node of yours.</p>
${standing?.caveat !== undefined && OF_DEVELOPMENT_CHAIN}
<h2>How far it is</h2>
${standing === undefined ? html`<p>Bitcoin was not asked yet.</p>` : shownStanding(standing)}
<h2>What it is worth</h2>
<p>The answer to a stamp is a promise. It becomes a proof when the hash has come to Bitcoin and
<code>ots upgrade</code> has fetched the way there: then nothing of this service is needed to check it, and the calendar
may be gone. Until then keep the <code>.ots</code> file, and stamp with a second calendar (<code>-c</code> twice) if one
promise is not enough. What is stamped here belongs to nobody: no list has it, and nobody can take it back.</p>
<p>Whoever holds the file learns the hashes beside its own, and not what was hashed: the client puts a random number into
each, so that short data cannot be guessed. One operator runs all of this. Witnesses and public chains bound what he can do
afterwards, not what he accepts.</p>
<p><a href="/docs/calendar">The article about calendars</a> says what happens to a hash.</p>
</div>
</article>`,
  })

/** The client takes another network only when it is told so. */
const OF_DEVELOPMENT_CHAIN = html`<p>This service commits to a development chain of its own, which proves nothing to anybody
outside. Where the service runs, <code>verify</code> can be told to ask that chain:</p>
<pre tabindex="0"><code>ots --btc-regtest --bitcoin-node "$(npm run -s pharos -- devchain url)" verify FILE.ots</code></pre>`

const shownStanding = ({
  network,
  confirmed_at,
  waiting,
  waiting_since,
  error,
}: ChainStanding): Html => html`<ul>
<li>${
  confirmed_at === null
    ? 'Nothing is on Bitcoin yet.'
    : html`The newest hashes came to Bitcoin${
        network !== null && network !== 'mainnet' && html` (${network})`
      } at <time datetime="${confirmed_at}">${confirmed_at}</time>.`
}</li>
<li>${
  waiting_since === null
    ? 'No commitment waits for its confirmation.'
    : html`${waiting} ${waiting === 1 ? 'commitment waits' : 'commitments wait'} for confirmation, the oldest since
<time datetime="${waiting_since}">${waiting_since}</time>.`
}</li>
${error !== null && html`<li>Bitcoin cannot be used just now: ${error}</li>`}</ul>`
