// How to get a key: from whoever runs the service, or from the first start on one's own machine.
import './door.css'
import { CopyButton } from '../ui/copy_button.tsx'

export const GetAKey = () => (
  <section className="door-part" aria-labelledby="get-a-key">
    <h2 id="get-a-key">How to get a key</h2>
    <div className="door-ways">
      <div>
        <h3>Somebody else runs this service</h3>
        <p>Ask them for a key. Where the service is installed, they type this; it shows the key once:</p>
        <Command text="npm run pharos -- user create --email you@example.com" />
      </div>
      <div>
        <h3>You run it on this machine</h3>
        <p>
          Its first start shows a key and a link that signs in: in the terminal, or, where there is none, in{' '}
          <code>first-start.txt</code> in the folder <code>.data</code>. For another key:
        </p>
        <Command text="npm run pharos -- key create --email owner@localhost.local" />
      </div>
    </div>
  </section>
)

const Command = ({ text }: { text: string }) => (
  <div className="command">
    <code>{text}</code>
    <CopyButton text={text} what="command" />
  </div>
)
