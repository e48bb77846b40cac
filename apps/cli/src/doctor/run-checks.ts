import {
  type Finding,
  type Inspected,
  examineGround,
  examineQueue,
  inspectQueue,
  judgeBacklog,
  judgeSecrets,
  judgeSettings,
  named,
  reason,
  red,
} from '#libs/doctor';
import { InvalidSettings, type Settings, readSettings } from '#libs/settings';
import { type Operator, asOperator } from '../operator.js';

/** One after the other, each on its own: what is broken keeps only those from being looked at that stand on it. */
export async function examine(): Promise<Finding[]> {
  const settings = settingsOrFaults();
  if ('faults' in settings) return settings.faults.map((words) => ({ verdict: 'red', name: 'settings', words }));
  const first = named('settings', judgeSettings(settings));
  const queue = await inspectQueue(settings);
  try {
    return [first, ...(await asOperator((operator) => examineAll(operator, queue), settings))];
  } catch (error) {
    return [first, named('database', red(`cannot be reached: ${reason(error)}`)), ...examineQueue(queue)];
  }
}

function settingsOrFaults(): Settings | { readonly faults: readonly string[] } {
  try {
    return readSettings();
  } catch (error) {
    if (error instanceof InvalidSettings) return { faults: error.faults };
    throw error;
  }
}

/** Secrets are looked at only where there is a table of them. */
async function examineAll(operator: Operator, queue: Inspected): Promise<Finding[]> {
  const findings = await examineGround(operator, queue, judgeBacklog);
  if (findings.some(({ name, verdict }) => name === 'migrations' && verdict === 'red')) return findings;
  const keys = await operator.sealed.byKey();
  return [...findings, named('secrets', judgeSecrets(keys, operator.settings.SECRETS_KEY[0]!.id))];
}
