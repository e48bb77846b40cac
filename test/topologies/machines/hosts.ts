import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DebianSystem } from './debian-system.js';
import { Host } from './host.js';
import { Network, removeLeftovers } from './network.js';

/** All hosts of one system, each with a folder below a common one. */
export class Hosts {
  private readonly all: Host[] = [];

  private constructor(
    readonly network: Network,
    private readonly system: DebianSystem,
    readonly folder: string,
  ) {}

  static open(system: DebianSystem): Hosts {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-machines-'));
    fs.chmodSync(folder, 0o755);
    process.once('exit', removeLeftovers);
    return new Hosts(Network.open(), system, folder);
  }

  add(name: string): Host {
    const host = new Host(name, this.network.add(name), { system: this.system, folder: this.folder });
    this.all.push(host);
    return host;
  }

  several(name: string, count: number): Host[] {
    return Array.from({ length: count }, (_none, index) => this.add(`${name}${index + 1}`));
  }

  at(address: string): Host {
    return this.all.find((host) => host.address === address)!;
  }

  /** Keeps their logs for reading. */
  close(): Promise<void> {
    return this.network.close();
  }
}
