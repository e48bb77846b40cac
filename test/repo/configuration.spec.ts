import { readFileSync } from 'node:fs';
import { SETTINGS } from '#libs/settings';
import { describe, expect, it } from 'vitest';

const settings = Object.entries(SETTINGS);

describe('the list of settings', () => {
  it('stands in .env.example, each with its default', () => {
    const file = readFileSync('.env.example', 'utf8');

    const lines = file.split('\n').filter((line) => /^# [A-Z_]+=/.test(line));
    expect(lines).toEqual(settings.map(([name, { shown }]) => `# ${name}=${shown}`));
  });

  it('stands in docs/configuration.md, each with what it does', () => {
    const cells = readFileSync('docs/configuration.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|').map((cell) => cell.trim()));

    expect(cells.map(([, name, , doc]) => [name, doc])).toEqual(
      settings.map(([name, { doc }]) => [`\`${name}\``, doc]),
    );
  });
});
