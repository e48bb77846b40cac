import type { TwoFactorState } from '#libs/access';
import { RelativeTime } from '../../ui/parts/relative-time.js';
import { TWO_FACTOR_PATH } from '../../sign-in/session.guard.js';

export function TwoFactorSection({ state }: { state: TwoFactorState }) {
  return (
    <section class="stack" aria-labelledby="two-factor">
      <div class="row apart">
        <h2 id="two-factor">Two-factor sign-in</h2>
        <a class="button" href={TWO_FACTOR_PATH}>
          {state.kind === 'on' ? 'Change' : 'Set up'}
        </a>
      </div>
      {state.kind === 'on' ? (
        <p>
          On since <RelativeTime at={state.since} />. {recoveryCodesText(state.recoveryCodesLeft)}
        </p>
      ) : (
        <p class="quiet">Off. Whoever learns your password can sign in as you.</p>
      )}
    </section>
  );
}

export function recoveryCodesText(left: number): string {
  if (left === 0) return 'No recovery code is left: make new ones.';
  return left === 1 ? 'One recovery code is left: make new ones.' : `${left} recovery codes are left.`;
}
