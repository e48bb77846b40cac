import { UserManager } from 'oidc-client-ts';

const given = new URLSearchParams(location.search);
const isStart = location.pathname === '/';
if (isStart) sessionStorage.setItem('settings', JSON.stringify(Object.fromEntries(given)));
const settings = JSON.parse(sessionStorage.getItem('settings'));
const manager = new UserManager({
  ...settings,
  redirect_uri: `${location.origin}/callback`,
  scope: 'tickets:read',
  loadUserInfo: true,
});

async function useTokens() {
  const user = await manager.signinCallback();
  const refreshed = await manager.signinSilent();
  const headers = { authorization: `Bearer ${refreshed.access_token}` };
  const { status } = await fetch(`${settings.authority}/v1/tickets`, { headers });
  await manager.revokeTokens(['refresh_token']);
  return { accessTokens: [user.access_token, refreshed.access_token], status, email: user.profile.email };
}

if (isStart) await manager.signinRedirect();
else {
  const outcome = await useTokens().catch((error) => ({ error: String(error) }));
  document.body.append(Object.assign(document.createElement('pre'), { textContent: JSON.stringify(outcome) }));
}
