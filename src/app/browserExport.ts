/**
 * In place of the CSV writer that every list of react-admin loads: a list is exported by the server.
 * Rule: exports-and-jobs.
 */
export default function browserExport(): never {
  throw new Error('A list is exported by the server');
}
