import type { TwoFactorState } from '#libs/access';
import type { ComponentChildren } from 'preact';
import { encodeQR } from 'qr';
import { CardLayout } from '../../layers/ui/layout.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { CopyButton } from '../../layers/ui/parts/copy-button.js';
import { Field } from '../../layers/ui/parts/fields.js';
import { ActionButton, Form, FormAlert, SubmitButton } from '../../layers/ui/parts/form.js';
import { FormCard } from '../../layers/ui/parts/form-card.js';
import { NoticeBox } from '../../layers/ui/parts/indicators.js';
import { RelativeTime } from '../../layers/ui/parts/relative-time.js';
import { TWO_FACTOR_PATH } from '../../layers/sign-in/sign-in-paths.js';
import { PageLayout } from '../../layers/shell/shell.js';

export function TwoFactorPage({ state, uri }: { state: TwoFactorState; uri: string }) {
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
          <strong>{me.account} requires two-factor sign-in of you.</strong> Set it up to continue.
        </p>
      )}
      <p>
        After your password, you enter a code from an authenticator app on your phone. A stolen password alone is then
        not enough to sign in.
      </p>
      <StartForm verb="Set up" />
    </>
  );
}

function StartForm({ verb }: { verb: string }) {
  return (
    <FormCard action={`${TWO_FACTOR_PATH}/start`} title={verb} hasHeading={false} submit={verb} submitClass="primary">
      <ProofField name="password" />
    </FormCard>
  );
}

function SetUp({ secret, uri }: { secret: string; uri: string }) {
  return (
    <>
      <section class="stack" aria-labelledby="scan">
        <h2 id="scan">1. Scan this with your authenticator app</h2>
        <QrCode text={uri} label="QR code for your authenticator app" />
        <p>
          Or enter this key in the app (time-based, six digits):{' '}
          <code data-key>{secret.match(/.{4}/g)?.join(' ')}</code>
        </p>
        <p>
          <a href={uri}>Open in an app on this device</a>
        </p>
      </section>
      <section class="stack" aria-labelledby="confirm">
        <h2 id="confirm">2. Enter the code from the app</h2>
        <Form action={`${TWO_FACTOR_PATH}/confirm`} class="stack" label="Confirm">
          <Field
            label="Code"
            name="code"
            required
            autocomplete="one-time-code"
            hint="Six digits. It changes every 30 seconds."
          />
          <SubmitButton>Turn on</SubmitButton>
        </Form>
        <p class="quiet">Your other sessions will be signed out.</p>
      </section>
      <details>
        <summary>Start over with a new key</summary>
        <StartForm verb="Generate a new key" />
      </details>
    </>
  );
}

/** Scanners need four white modules around the code. */
const QUIET_ZONE = 4;

/** Drawn here, so that the secret goes to no other site. Scanners need black on white in every theme. */
function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const { length } = rows;
  return (
    <svg class="qr-code" viewBox={`0 0 ${length} ${length}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={length} height={length} fill="#fff" />
      <path d={rows.flatMap(darkRuns).join('')} fill="#000" />
    </svg>
  );
}

function darkRuns(row: readonly boolean[], y: number): string[] {
  const modules = row.map((isDark) => (isDark ? '1' : '0')).join('');
  return Array.from(modules.matchAll(/1+/g), ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`);
}

export const ProofField = ({ name, orCode = false }: { name: string; orCode?: boolean }) => (
  <Field
    label={orCode ? 'Your password, or a code from the app' : 'Your password'}
    name={name}
    type="password"
    required
    autocomplete={orCode ? 'off' : 'current-password'}
  />
);

function Change({ since, left }: { since: Date; left: number }) {
  return (
    <>
      <OnSince since={since} left={left} />
      <FormCard
        action={`${TWO_FACTOR_PATH}/recovery-codes`}
        title="Recovery codes"
        submit="Generate new recovery codes"
      >
        <p>Each code signs you in once without the app. New codes replace the old ones.</p>
        <ProofField name="proof" orCode />
      </FormCard>
      <FormCard action={`${TWO_FACTOR_PATH}/off`} title="Turn off" submit="Turn off" submitClass="danger">
        <p>To move to another phone, turn it off and set it up again.</p>
        <ProofField name="off_proof" orCode />
      </FormCard>
    </>
  );
}

export const OnSince = ({ since, left }: { since: Date; left: number }) => (
  <p>
    On since <RelativeTime at={since} />. {recoveryCodesText(left)}
  </p>
);

function recoveryCodesText(left: number): string {
  if (left === 0) return 'No recovery codes are left. Generate new ones.';
  return left === 1 ? 'One recovery code is left. Generate new ones.' : `${left} recovery codes are left.`;
}

export function RecoveryCodesPage({ codes, next, notice }: { codes: readonly string[]; next: string; notice: string }) {
  return (
    <TwoFactorLayout title="Your recovery codes">
      <NoticeBox tone="good" role="status">
        {notice}
      </NoticeBox>
      <p>
        Store these with your passwords, but not on the phone with the app. If you lose the app, each code signs you in
        once. <strong>They will not be shown again.</strong>
      </p>
      <ol class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <CopyButton text={codes.join('\n')} what="the recovery codes" />
      <p>
        <a class="button primary" href={next}>
          I have saved them
        </a>
      </p>
    </TwoFactorLayout>
  );
}

/** Without the sidebar while the person may open nothing else. */
function TwoFactorLayout({ title, children }: { title: string; children: ComponentChildren }) {
  const { me } = usePageContext();
  if (!me.owesTwoFactor)
    return (
      <PageLayout title={title} section="/profile" narrow>
        {children}
      </PageLayout>
    );
  return (
    <CardLayout title={title}>
      {children}
      <ActionButton to="/sign-out" label={`Sign out ${me.email}`} class="link" />
    </CardLayout>
  );
}
