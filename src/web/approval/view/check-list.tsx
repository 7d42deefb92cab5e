import type { Check, CheckStatus } from '#libs/prepared-action';

const MARKS: Readonly<Record<CheckStatus, { icon: string; word: string }>> = {
  passed: { icon: '✓', word: 'Passed' },
  failed: { icon: '✕', word: 'Failed' },
  unknown: { icon: '?', word: 'Not known yet' },
};

/** The fifteen checks with what was found; those that failed stand first and are never folded away. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  const failed = checks.filter(({ status }) => status === 'failed');
  const others = checks.filter(({ status }) => status !== 'failed');
  const passed = checks.filter(({ status }) => status === 'passed').length;
  return (
    <section aria-labelledby="checks">
      <h2 id="checks" tabIndex={-1}>
        Checks
      </h2>
      {failed.length > 0 && <Rows checks={failed} />}
      <details>
        <summary>
          {passed} of {checks.length} checks passed
        </summary>
        <Rows checks={others} />
      </details>
    </section>
  );
}

function Rows({ checks }: { checks: readonly Check[] }) {
  return (
    <ul class="checks">
      {checks.map(({ number, status, title, detail }) => (
        <li key={number} class={status}>
          <span aria-hidden="true">{MARKS[status].icon}</span>
          <div>
            <strong>
              {MARKS[status].word}: {title}
            </strong>
            {detail !== '' && <p class="small">{detail}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
