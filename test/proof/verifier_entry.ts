// What a page or a command line needs to check bundles on its own: bundled by a test, to see how large it gets.
export { readBundleCbor, readBundleJson } from '../../shared/proof/bundle/read_bundle.ts'
export { readKeyring } from '../../shared/proof/verify/keyring.ts'
export { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
