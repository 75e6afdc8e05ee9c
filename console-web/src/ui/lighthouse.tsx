// The logo: a lighthouse whose lamp throws one beam. Colours come from the theme. The file icon has its own
// copy (lighthouse.svg).
export const Lighthouse = () => (
  <svg className="lighthouse" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
    <path className="lighthouse-beam" d="M25 12.5 47 5v15z" />
    <path className="lighthouse-beam faint" d="M19 12.5 1 7.5v10z" />
    <path className="lighthouse-tower" d="M18.6 20h6.8l3.6 23H15z" />
    <path className="lighthouse-band" d="M17.7 26h8.6l.95 6h-10.5z" />
    <path className="lighthouse-tower" d="M16.5 17.2h11v2.8h-11zM17.5 8.6 22 4l4.5 4.6z" />
    <rect className="lighthouse-lamp" x="18.6" y="8.6" width="6.8" height="8.6" rx="1" />
    <path className="lighthouse-tower" d="M10 43h24v2H10z" />
  </svg>
)
