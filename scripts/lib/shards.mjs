/**
 * The files of one shard: the longest first, each goes where least is to be done so far. Without a time a file counts as an
 * average one.
 * @param {string[]} files
 * @param {Record<string, number>} times in ms
 * @param {{ part: number, of: number }} shard `part` counts from 1
 * @returns {string[]} in the order of their names
 */
export function shardOf(files, times, { part, of }) {
  const known = files.map((it) => times[it]).filter((it) => it > 0);
  const average = known.length > 0 ? known.reduce((sum, it) => sum + it, 0) / known.length : 1;
  const timeOf = (file) => times[file] || average;
  const shards = Array.from({ length: of }, () => ({ ms: 0, files: [] }));
  const byTime = [...files].sort((a, b) => timeOf(b) - timeOf(a) || (a < b ? -1 : 1));
  for (const file of byTime) {
    const least = shards.reduce((a, b) => (b.ms < a.ms ? b : a));
    least.files.push(file);
    least.ms += timeOf(file);
  }
  return shards[part - 1].files.sort();
}
