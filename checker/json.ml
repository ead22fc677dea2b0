(* JSON as certificates have it: no fractions, no name twice in an object. *)
type t =
  | Null
  | Bool of bool
  | Int of int
  | Large of string  (* an integer of more than 18 digits *)
  | Text of string  (* UTF-8 *)
  | List of t list
  | Object of (string * t) list

exception Bad

let most_values = 6_000_000  (* arrays, objects, and what is in them, as `quet verify` counts them *)

let of_string text =
  let count_value count c = if c = ',' || c = '[' || c = '{' then count + 1 else count in
  if String.fold_left count_value 0 text > most_values then raise Bad;
  let at = ref 0 and length = String.length text in
  let peek () = if !at < length then text.[!at] else raise Bad in
  let skip () = while !at < length && String.contains " \t\n\r" text.[!at] do incr at done in
  let expect c = if peek () = c then incr at else raise Bad in
  let word w value =
    String.iter expect w;
    value
  in
  let add_code buffer code =
    if not (Uchar.is_valid code) then raise Bad;
    Buffer.add_utf_8_uchar buffer (Uchar.of_int code)
  in
  let hex () =
    if !at + 4 > length then raise Bad;
    let digits = String.sub text !at 4 in
    String.iter (fun c -> if not (String.contains "0123456789abcdefABCDEF" c) then raise Bad) digits;
    at := !at + 4;
    int_of_string ("0x" ^ digits)
  in
  let read_text () =
    expect '"';
    let buffer = Buffer.create 16 in
    let rec go () =
      let c = peek () in
      incr at;
      match c with
      | '"' -> Buffer.contents buffer
      | '\\' ->
          let e = peek () in
          incr at;
          (match e with
          | '"' | '\\' | '/' -> Buffer.add_char buffer e
          | 'b' -> Buffer.add_char buffer '\b'
          | 'f' -> Buffer.add_char buffer '\012'
          | 'n' -> Buffer.add_char buffer '\n'
          | 'r' -> Buffer.add_char buffer '\r'
          | 't' -> Buffer.add_char buffer '\t'
          | 'u' ->
              let code = hex () in
              if code >= 0xd800 && code < 0xdc00 then (
                expect '\\';
                expect 'u';
                let low = hex () in
                if low < 0xdc00 || low > 0xdfff then raise Bad;
                add_code buffer (0x10000 + ((code - 0xd800) lsl 10) + (low - 0xdc00)))
              else add_code buffer code
          | _ -> raise Bad);
          go ()
      | c when Char.code c < 32 -> raise Bad
      | c ->
          Buffer.add_char buffer c;
          go ()
    in
    go ()
  in
  let read_number () =
    let from = !at in
    if peek () = '-' then incr at;
    let first = !at in
    while !at < length && text.[!at] >= '0' && text.[!at] <= '9' do incr at done;
    let digits = !at - first in
    let is_end = !at = length || not (String.contains ".eE" text.[!at]) in
    if digits = 0 || digits > 4000 || (digits > 1 && text.[first] = '0') || not is_end then raise Bad;
    let all = String.sub text from (!at - from) in
    if digits <= 18 then Int (int_of_string all) else Large all
  in
  let items close read =
    skip ();
    if peek () = close then (
      incr at;
      [])
    else
      let rec go before =
        let all = read () :: before in
        skip ();
        let c = peek () in
        incr at;
        if c = close then List.rev all else if c = ',' then go all else raise Bad
      in
      go []
  in
  let rec read depth =
    if depth > 50 then raise Bad;
    skip ();
    match peek () with
    | 'n' -> word "null" Null
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | '"' -> Text (read_text ())
    | '[' ->
        incr at;
        List (items ']' (fun () -> read (depth + 1)))
    | '{' ->
        incr at;
        let pair () =
          skip ();
          let name = read_text () in
          skip ();
          expect ':';
          (name, read (depth + 1))
        in
        let pairs = items '}' pair in
        let names = List.sort_uniq compare (List.map fst pairs) in
        if List.length names < List.length pairs then raise Bad;
        Object pairs
    | _ -> read_number ()
  in
  let value = read 0 in
  skip ();
  if !at < length then raise Bad;
  value

(* the character that begins at byte i, and where the next one begins *)
let code_point text i =
  let byte k = if k < String.length text then Char.code text.[k] else raise Bad in
  let rest k = if byte k land 0xc0 = 0x80 then byte k land 0x3f else raise Bad in
  let first = byte i in
  let size = if first < 0x80 then 1 else if first < 0xc2 then raise Bad else if first < 0xe0 then 2 else if first < 0xf0 then 3 else 4 in
  let start = if size = 1 then first else first land (0xff lsr (size + 1)) in
  let code = List.fold_left (fun code k -> (code lsl 6) lor rest (i + k)) start (List.init (size - 1) succ) in
  if Uchar.is_valid code then (code, i + size) else raise Bad

(* as Python's json.dumps writes it with sort_keys and separators "," and ":" *)
let to_string value =
  let buffer = Buffer.create 1000 in
  let add = Buffer.add_string buffer in
  let add_text text =
    let rec go i =
      if i < String.length text then (
        let code, next = code_point text i in
        (match code with
        | 34 -> add "\\\""
        | 92 -> add "\\\\"
        | 8 -> add "\\b"
        | 9 -> add "\\t"
        | 10 -> add "\\n"
        | 12 -> add "\\f"
        | 13 -> add "\\r"
        | c when c >= 32 && c < 127 -> Buffer.add_char buffer (Char.chr c)
        | c when c < 0x10000 -> add (Printf.sprintf "\\u%04x" c)
        | c -> add (Printf.sprintf "\\u%04x\\u%04x" (0xd800 + ((c - 0x10000) lsr 10)) (0xdc00 + ((c - 0x10000) land 1023))));
        go next)
    in
    add "\"";
    go 0;
    add "\""
  in
  let rec separated write = function
    | [] -> ()
    | [ x ] -> write x
    | x :: rest ->
        write x;
        add ",";
        separated write rest
  in
  let rec write = function
    | Null -> add "null"
    | Bool b -> add (string_of_bool b)
    | Int i -> add (string_of_int i)
    | Large digits -> add digits
    | Text t -> add_text t
    | List l ->
        add "[";
        separated write l;
        add "]"
    | Object pairs ->
        add "{";
        separated
          (fun (name, x) ->
            add_text name;
            add ":";
            write x)
          (List.sort compare pairs);
        add "}"
  in
  write value;
  Buffer.contents buffer
