import type { Desk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import type { ExampleRecorder } from './recorder.js';

/** The first records. The feed shows them once every older transaction of the server has ended. */
export async function recordChanges(api: ExampleRecorder, desk: Desk): Promise<void> {
  const found = async () => ((await desk.client().get('/v1/changes')).body as { changes: object[] }).changes.length > 1;
  await eventually(found, { withinMs: 45_000 });
  await api.get('/v1/changes?per_page=1');
}
