import sqlite3


def keep(order):
    with sqlite3.connect("orders.db") as db:
        db.execute("insert into orders values (?, ?)", (order.id, order.text))
