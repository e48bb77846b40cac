import type { ProcessRegistry } from '../process-registry.js';
import type { ManagedServer, ServerPlace } from '../server.js';
import { majorOf, type PostgresBinaries } from './binaries.js';
import { clusterOf, createCluster, holdsCluster } from './cluster.js';
import { serveCluster } from './server.js';
import { bringEarlierData } from './upgrade.js';

/** On the data of this version, on that of an earlier one brought over, or on none. */
export async function startPostgres(
  binaries: PostgresBinaries,
  place: ServerPlace,
  processes: ProcessRegistry,
): Promise<ManagedServer> {
  const cluster = clusterOf(place.parent, majorOf(binaries));
  if (!holdsCluster(cluster.folder) && !(await bringEarlierData(cluster, place, binaries, processes)))
    await createCluster(cluster, place, binaries, processes);
  return serveCluster(cluster, place, binaries, processes);
}
