/** A list is exported by the server. Rule: exports-and-jobs#list-exports. */
function browserExport(): never {
  throw new Error('A list is exported by the server');
}

/** In place of the CSV writer that every list of react-admin loads, by the name that it has there. */
export { browserExport as default };
