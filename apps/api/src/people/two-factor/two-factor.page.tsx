import type { TwoFactorState } from '#libs/access';
import { usePageContext } from '../../ui/page-context.js';
import { Field } from '../../ui/parts/fields.js';
import { Form, FormAlert } from '../../ui/parts/form.js';
import { RelativeTime } from '../../ui/parts/relative-time.js';
import { TWO_FACTOR_PATH } from '../../sign-in/session.guard.js';
import { recoveryCodesText } from '../profile/two-factor-section.js';
import { QrCode } from './qr-code.js';
import { TwoFactorLayout } from './two-factor-layout.js';

interface TwoFactorProps {
  readonly state: TwoFactorState;
  /** What the app reads while it is being set up. */
  readonly uri: string;
}

export function TwoFactorPage({ state, uri }: TwoFactorProps) {
  return (
    <TwoFactorLayout title="Two-factor sign-in">
      <FormAlert />
      {state.kind === 'off' && <Start />}
      {state.kind === 'setting_up' && <SetUp secret={state.secret} uri={uri} />}
      {state.kind === 'on' && <Change since={state.since} left={state.recoveryCodesLeft} />}
    </TwoFactorLayout>
  );
}

function Start() {
  const { me } = usePageContext();
  return (
    <>
      {me.owesTwoFactor && (
        <p>
          <strong>{me.account} requires two-factor sign-in of you.</strong> Set it up to go on.
        </p>
      )}
      <p>
        After your password you will be asked for a code from an authenticator app on your phone. Whoever learns your
        password still cannot sign in.
      </p>
      <StartForm verb="Set up" />
    </>
  );
}

function StartForm({ verb }: { verb: string }) {
  return (
    <Form action={`${TWO_FACTOR_PATH}/start`} class="card stack" label={verb}>
      <Field label="Your password" name="password" type="password" required autocomplete="current-password" />
      <div>
        <button type="submit" class="primary">
          {verb}
        </button>
      </div>
    </Form>
  );
}

function SetUp({ secret, uri }: { secret: string; uri: string }) {
  return (
    <>
      <section class="stack" aria-labelledby="scan">
        <h2 id="scan">1. Scan this with your authenticator app</h2>
        <QrCode text={uri} label="QR code for your authenticator app" />
        <p>
          Or type this key into the app (by time, six digits): <code data-key>{secret.match(/.{4}/g)?.join(' ')}</code>
        </p>
        <p>
          <a href={uri}>Open it in an app on this device</a>
        </p>
      </section>
      <section class="stack" aria-labelledby="confirm">
        <h2 id="confirm">2. Enter the code that the app shows</h2>
        <Form action={`${TWO_FACTOR_PATH}/confirm`} class="stack" label="Confirm">
          <Field
            label="Code"
            name="code"
            required
            autocomplete="one-time-code"
            hint="Six digits, new every half minute."
          />
          <div>
            <button type="submit" class="primary">
              Turn on
            </button>
          </div>
        </Form>
        <p class="quiet">Every other session of yours is then signed out.</p>
      </section>
      <details>
        <summary>Start again with a new key</summary>
        <StartForm verb="Make a new key" />
      </details>
    </>
  );
}

const PROOF = { type: 'password', required: true, autocomplete: 'off' } as const;

function Change({ since, left }: { since: Date; left: number }) {
  return (
    <>
      <p>
        On since <RelativeTime at={since} />. {recoveryCodesText(left)}
      </p>
      <Form action={`${TWO_FACTOR_PATH}/recovery-codes`} class="card stack" label="Recovery codes">
        <h2>Recovery codes</h2>
        <p>Each opens your account once, when the app is not at hand. New ones end those before.</p>
        <Field label="Your password, or a code from the app" name="proof" {...PROOF} />
        <div>
          <button type="submit">Make new recovery codes</button>
        </div>
      </Form>
      <Form action={`${TWO_FACTOR_PATH}/off`} class="card stack" label="Switch off">
        <h2>Switch off</h2>
        <p>To move to another phone, switch it off and set it up again.</p>
        <Field label="Your password, or a code from the app" name="off_proof" {...PROOF} />
        <div>
          <button type="submit" class="danger">
            Switch off
          </button>
        </div>
      </Form>
    </>
  );
}
