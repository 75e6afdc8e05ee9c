// How to test webhooks with a receiver on the same machine. By default the service calls public addresses
// only.
import { Link } from 'wouter'
import { Command } from '../ui/copy_button.tsx'

export const LocalTrial = ({ open = false }: { open?: boolean }) => (
  <details className="fold local-trial" open={open}>
    <summary>Try it with a program of yours on this machine</summary>
    <p className="card-note">
      The <Link to="/webhooks/receiver">built-in receiver</Link> shows deliveries without any of this, where
      the server runs on your own machine.
    </p>
    <p className="card-note">
      The service calls only public addresses, over TLS. For a trial, give a receiver a certificate of its own
      and start the service so that it trusts both:
    </p>
    <ol className="stack">
      <li className="stack">
        <p>A certificate for this machine</p>
        <Command text={MAKE_CERTIFICATE} />
      </li>
      <li className="stack">
        <p>A receiver that prints what it hears</p>
        <Command text={RECEIVE} />
      </li>
      <li className="stack">
        <p>The service, allowed to call it</p>
        <Command text="WEBHOOK_ALLOW_ADDRESSES=127.0.0.0/8 NODE_EXTRA_CA_CERTS=receiver.pem npm start" />
      </li>
    </ol>
    <p className="card-note">
      Then register <code>https://127.0.0.1:8443/</code>; <code>localhost</code> is refused by its name. This
      setting is for trials only.
    </p>
  </details>
)

const MAKE_CERTIFICATE =
  'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=127.0.0.1 ' +
  '-addext subjectAltName=IP:127.0.0.1 -keyout receiver.key -out receiver.pem'

const RECEIVE =
  `node -e "const {readFileSync:read}=require('fs');require('https').createServer({key:read('receiver.key'),` +
  `cert:read('receiver.pem')},(q,s)=>{q.pipe(process.stdout);s.end()}).listen(8443,'127.0.0.1')"`
