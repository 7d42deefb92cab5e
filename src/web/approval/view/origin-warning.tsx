import type { PageFacts } from '../service/page-facts.js';

/**
 * Warns when the page was not loaded from the origin at which the service asks for signatures: somebody else shows it.
 */
export function OriginWarning({ facts: { deployment } }: { facts: PageFacts }) {
  if (window.location.origin === deployment.signingOrigin) return null;
  return (
    <p class="notice bad" role="alert">
      <strong>{window.location.host} is not the signing address of this service.</strong> Open the request at{' '}
      {deployment.signingOrigin} instead.
    </p>
  );
}
