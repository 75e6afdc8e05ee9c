// The page about time stamps for people: what a token is worth, and the lines to type for the tools that people have.
import { type Html, html } from '../http/html.ts'
import { textPage } from '../http/text_page.ts'

interface TsaShown {
  /** Of the authority. */
  readonly address: string
  /** The object identifier that its tokens name. */
  readonly policy: string
}

export const tsaPage = ({ address, policy }: TsaShown): Html =>
  textPage({
    title: 'Time-stamp authority',
    description: 'Time stamps by RFC 3161, for the tools that you have.',
    canonical: address,
    main: html`<article>
<header class="head">
<p class="kind">For programs you have already</p>
<h1>Time-stamp authority</h1>
</header>
<div class="prose">
<p>Tools that speak RFC 3161 get their time stamps at <code>${address}</code>. They send a hash, never the file, and need no
account. Policy: <code>${policy}</code>.</p>
<h2>Lines to type</h2>
<p>The certificates, once. Compare the fingerprint of the last one with what the operator tells you by another way: that is
what you trust from then on.</p>
<pre tabindex="0"><code>curl -so tsa.pem ${address}/certificates
awk '/BEGIN/{c=""} {c=c $0 "\\n"} END{printf "%s", c}' tsa.pem &gt; tsa-root.pem
openssl x509 -in tsa-root.pem -noout -fingerprint -sha256</code></pre>
<p>A file, with OpenSSL:</p>
<pre tabindex="0"><code>openssl ts -query -data FILE -sha256 -cert -out FILE.tsq
curl -s -H 'Content-Type: application/timestamp-query' \\
  --data-binary @FILE.tsq -o FILE.tsr ${address}
openssl ts -verify -queryfile FILE.tsq -in FILE.tsr -CAfile tsa-root.pem
openssl ts -reply -in FILE.tsr -text</code></pre>
<p>A Java archive, and a program for Windows:</p>
<pre tabindex="0"><code>jarsigner -tsa ${address} -keystore KEYSTORE ARCHIVE.jar ALIAS
osslsigncode sign -certs CERTIFICATE.pem -key KEY.pem \\
  -ts ${address} -in PROGRAM.exe -out SIGNED.exe</code></pre>
<h2>What outlives the certificate</h2>
<p>A token stands in a block of this service’s ledger, under the serial number that it says. Its evidence proves that,
offline, also when the certificate has ended or its key has leaked. Keep it beside the token, once the block is committed to
a public chain:</p>
<pre tabindex="0"><code>openssl ts -reply -in FILE.tsr -text | sed -n 's/^Serial number: 0x//p'
curl -so FILE.tsr.pharos ${address}/evidence/SERIAL</code></pre>
<p>Serial numbers can be counted, so anybody can see how many tokens there are and when they were made. They show hashes of
tokens, and nothing of what was stamped.</p>
<h2>What it is worth</h2>
<p>This is not a qualified service, and no authority supervises it. A token says that the hash was here at its time, to a
second. Until its block is committed it is as good as its certificate and the word of the operator. From then on nobody can
make one with an earlier time, the operator included: witnesses and public chains bound what he can do afterwards, not what
he accepts.</p>
</div>
</article>`,
  })
