import CPostgres

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The functions of libpq that the mirror doesn't use: they wait, and name statements.
@unsafe
private struct PlainFunctions {
  typealias Run = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> OpaquePointer?
  typealias RunBinary =
    @convention(c) (
      OpaquePointer, UnsafePointer<CChar>, CInt, OpaquePointer?, OpaquePointer?, OpaquePointer?,
      OpaquePointer?, CInt
    ) -> OpaquePointer?
  typealias Prepare =
    @convention(c) (
      OpaquePointer, UnsafePointer<CChar>, UnsafePointer<CChar>, CInt, UnsafePointer<UInt32>
    ) -> OpaquePointer?
  typealias Execute =
    @convention(c) (
      OpaquePointer, UnsafePointer<CChar>, CInt, UnsafePointer<UnsafePointer<CChar>?>,
      UnsafePointer<CInt>, UnsafePointer<CInt>, CInt
    ) -> OpaquePointer?

  let run: Run
  let runBinary: RunBinary
  let prepare: Prepare
  let execute: Execute

  init() throws {
    guard let library = unsafe dlopen("libpq.so.5", RTLD_LAZY) else {
      throw Failure("libpq can't be loaded")
    }
    func function<Function>(_ name: String, _ type: Function.Type) throws -> Function {
      guard let found = unsafe dlsym(library, name) else { throw Failure("no \(name)") }
      return unsafe unsafeBitCast(found, to: type)
    }
    unsafe run = try function("PQexec", Run.self)
    unsafe runBinary = try function("PQexecParams", RunBinary.self)
    unsafe prepare = try function("PQprepare", Prepare.self)
    unsafe execute = try function("PQexecPrepared", Execute.self)
  }
}

/// A connection without anything of the mirror's: what a program would write that stores row by row.
// @safe: it owns the connection.
@safe
final class PlainConnection {
  private let connection: OpaquePointer
  private let functions: PlainFunctions

  init(_ address: String) throws {
    unsafe functions = try PlainFunctions()
    if let problem = unsafe cpostgres_load() { throw Failure(unsafe String(cString: problem)) }
    let opened = unsafe "dbname".withCString { keyword in
      unsafe address.withCString { value in
        let keywords: [UnsafePointer<CChar>?] = unsafe [keyword, nil]
        let values: [UnsafePointer<CChar>?] = unsafe [value, nil]
        return unsafe cpostgres_connect(keywords, values)
      }
    }
    guard let opened = unsafe opened else { throw Failure("out of memory") }
    unsafe connection = opened
    guard unsafe cpostgres_status(connection) == Int32(CPOSTGRES_OK) else {
      throw Failure(unsafe String(cString: cpostgres_error_message(connection)))
    }
  }

  deinit {
    unsafe cpostgres_finish(connection)
  }

  func run(_ sql: String) throws {
    unsafe cpostgres_clear(try checked(functions.run(connection, sql)))
  }

  /// Rows in PostgreSQL's binary form, and the types of their columns.
  func rows(_ sql: String) throws -> (rows: [[[UInt8]?]], types: [UInt32]) {
    let result = unsafe try checked(
      functions.runBinary(connection, sql, 0, nil, nil, nil, nil, Int32(CPOSTGRES_BINARY)))
    defer { unsafe cpostgres_clear(result) }
    let columns = unsafe 0..<cpostgres_column_count(result)
    let rows = unsafe (0..<cpostgres_row_count(result)).map { row in
      columns.map { column -> [UInt8]? in
        guard unsafe cpostgres_is_null(result, row, column) == 0,
          let value = unsafe cpostgres_value(result, row, column)
        else { return nil }
        let length = unsafe Int(cpostgres_length(result, row, column))
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: length))
      }
    }
    return (rows, columns.map { unsafe cpostgres_column_type(result, $0) })
  }

  func prepare(_ name: String, _ sql: String, _ types: [UInt32]) throws {
    unsafe cpostgres_clear(
      try checked(functions.prepare(connection, name, sql, Int32(types.count), types)))
  }

  func execute(_ name: String, _ values: [[UInt8]?]) throws {
    var bytes: [UInt8] = []
    for value in values { bytes += value ?? [] }
    bytes.append(0)
    let lengths = values.map { Int32($0?.count ?? 0) }
    let result = unsafe bytes.withUnsafeBytes { bytes in
      var start = 0
      let pointers = unsafe values.map { value -> UnsafePointer<CChar>? in
        defer { start += value?.count ?? 0 }
        guard value != nil else { return nil }
        return unsafe bytes.baseAddress.map {
          unsafe ($0 + start).assumingMemoryBound(to: CChar.self)
        }
      }
      let formats = values.map { _ in Int32(CPOSTGRES_BINARY) }
      return unsafe functions.execute(
        connection, name, Int32(values.count), pointers, lengths, formats, Int32(CPOSTGRES_BINARY))
    }
    unsafe cpostgres_clear(try checked(result))
  }

  private func checked(_ result: OpaquePointer?) throws -> OpaquePointer {
    guard let result = unsafe result else { throw Failure("the connection is lost") }
    switch unsafe cpostgres_result_status(result) {
    case Int32(CPOSTGRES_COMMAND_OK), Int32(CPOSTGRES_TUPLES_OK): return unsafe result
    default:
      defer { unsafe cpostgres_clear(result) }
      throw Failure(
        unsafe cpostgres_result_field(result, Int32(CPOSTGRES_MESSAGE)).map {
          unsafe String(cString: $0)
        } ?? "a statement failed")
    }
  }
}
